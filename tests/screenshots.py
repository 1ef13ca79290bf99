"""Take the pictures of the README: python -m tests.screenshots."""

from itertools import product

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import serving

FOLDER = serving.ROOT / "assets" / "screenshots"
SIZES = {"desktop": (1280, 1180), "phone": (390, 1280)}
LINK = "?victim=bilstm-sst2&words=embedding"


def lattice(page: Page, address: str) -> None:
    """The lattice with its scan and two words swapped."""
    page.goto(f"{address}/{LINK}")
    page.get_by_role("button", name="Scan").click()
    for word in ("tepid", "outlandish"):
        page.locator(f'g.node[aria-label^="{word}."]').click()
    page.locator("mark").nth(1).wait_for()
    page.mouse.move(0, 0)


def attack(page: Page, address: str) -> None:
    """A finished attack in numbers."""
    page.goto(f"{address}/attack{LINK}")
    page.locator("mark").first.wait_for()


PAGES = {"lattice": lattice, "attack": attack}


def take(browser: Browser, address: str, name: str, device: str, scheme: str) -> None:
    """Open a page, bring it to the state to show, and save the picture."""
    width, height = SIZES[device]
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    page.set_default_timeout(60_000)
    PAGES[name](page, address)
    page.locator(".js-plotly-plot").first.wait_for()
    page.wait_for_timeout(1_500)  # fonts and the plot's first animation
    page.screenshot(path=FOLDER / f"{name}-{device}-{scheme}.png")
    page.close()


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    with serving.app() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**serving.launch_options())
        for name, device, scheme in product(PAGES, SIZES, ("light", "dark")):
            take(browser, address, name, device, scheme)
        browser.close()
