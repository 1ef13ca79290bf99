"""A page on a slow line: when it shows something, and how much it is sent."""

from typing import Any

from playwright.sync_api import Page

LATENCY, RATE = 400, 200_000  # milliseconds that each request waits, bytes a second
NAME = f"{LATENCY} ms, {RATE // 1_000} KB/s"
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


class SlowLine:
    """The line of a page that has opened nothing yet."""

    def __init__(self, page: Page) -> None:
        self.page, self.bytes = page, 0
        self._browser = page.context.new_cdp_session(page)
        self._browser.on("Network.loadingFinished", self._count)
        self._browser.send("Network.enable")
        self._limit(LATENCY, RATE)

    def speed_up(self) -> None:
        """Let the rest come as fast as it can."""
        self._limit(0, -1)

    def first_picture(self) -> float:
        """Seconds until something was seen, by the browser's own clock."""
        milliseconds: float = self.page.wait_for_function(PAINTED).json_value()
        return milliseconds / 1_000

    def all_bytes(self) -> int:
        """What came, compressed as it was, once nothing more comes."""
        self.page.wait_for_load_state("networkidle")
        return self.bytes

    def _limit(self, latency: int, rate: int) -> None:
        speed = {"downloadThroughput": rate, "uploadThroughput": rate}
        conditions = {"offline": False, "latency": latency, **speed}
        self._browser.send("Network.emulateNetworkConditions", conditions)

    def _count(self, ended: dict[str, Any]) -> None:
        self.bytes += int(ended["encodedDataLength"])
