"""Take the pictures of the README: python -m tests.screenshots."""

from itertools import product

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import serving

FOLDER = serving.ROOT / "assets" / "screenshots"
SIZES = {"desktop": (1280, 1180), "phone": (390, 1280)}


def lattice(page: Page, address: str) -> None:
    """The first screen with two words swapped."""
    page.goto(address)
    for word in ("tepid", "farcical"):
        page.locator(f'g.node[aria-label^="{word}."]').click()
    page.locator("mark").nth(1).wait_for()


def step(page: Page, address: str) -> None:
    """Local search after its second move."""
    page.goto(f"{address}/step?step=2")
    page.locator("mark").nth(1).wait_for()


def race(page: Page, address: str) -> None:
    """A finished race."""
    page.goto(f"{address}/race?seeds=5")
    page.get_by_role("button", name="Cancel").first.wait_for(state="detached")
    page.locator(".js-plotly-plot").nth(1).wait_for()


def theory(page: Page, address: str) -> None:
    """The landscape of a small space, with local search and the swarm in it."""
    page.goto(f"{address}/theory?part=Landscape&first=5&swarm=true")
    page.get_by_role("button", name="Enumerate 243 sentences").click()
    page.locator(".js-plotly-plot").wait_for()
    page.get_by_role("button", name="All sentences (CSV)").scroll_into_view_if_needed()


PAGES = {"lattice": lattice, "step": step, "race": race, "theory": theory}


def take(browser: Browser, address: str, name: str, device: str, scheme: str) -> None:
    """Open a page, bring it to the state to show, and save the picture."""
    width, height = SIZES[device]
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    page.set_default_timeout(120_000)
    page.add_init_script("localStorage.setItem('swapscope.tour', 'done')")
    PAGES[name](page, address)
    page.mouse.move(0, 0)
    page.wait_for_timeout(1_500)  # fonts and the first animation
    page.screenshot(path=FOLDER / f"{name}-{device}-{scheme}.png")
    page.close()


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    with serving.app() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**serving.launch_options())
        for name, device, scheme in product(PAGES, SIZES, ("light", "dark")):
            take(browser, address, name, device, scheme)
        browser.close()
