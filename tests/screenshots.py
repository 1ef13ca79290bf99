"""Take the pictures of the README: python -m tests.screenshots."""

from playwright.sync_api import Browser, sync_playwright

from tests.browser import serving

FOLDER = serving.ROOT / "assets" / "screenshots"
SIZES = {"desktop": (1280, 1280), "phone": (390, 1280)}


def take(browser: Browser, address: str, device: str, scheme: str) -> None:
    """Open the first screen, wait until its plot is drawn, and save the picture."""
    width, height = SIZES[device]
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    page.goto(address)
    page.locator("mark").first.wait_for()
    page.locator(".js-plotly-plot").first.wait_for()
    page.wait_for_timeout(1_500)  # fonts and the plot's first animation
    page.screenshot(path=FOLDER / f"attack-{device}-{scheme}.png")
    page.close()


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    with serving.app() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**serving.launch_options())
        for device in SIZES:
            for scheme in ("light", "dark"):
                take(browser, address, device, scheme)
        browser.close()
