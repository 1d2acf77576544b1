#!/usr/bin/env python3
"""Looks at the page that `arborist analyse --html` makes, in a real browser.

A short game is analysed, its page is opened from the file in headless Chromium, and what a
person would try is tried: the graphs are there, a click on a move moves the pieces, so do
the arrow keys and a click on a graph, a line of the engine can be followed, the board turns,
dark and light differ, a telephone's width is enough, nothing is fetched and the console
stays empty.

    apt-get install chromium chromium-driver
    python3 -m venv venv && venv/bin/pip install selenium
    venv/bin/python tests/clients/report.py --shots shots

Exit code: 0 if all is well, 1 with the first thing that is not, 2 for bad arguments.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

GAMES = """[Event "Paris"]
[Date "1750.??.??"]
[White "Legal"]
[Black "Saint Brie"]
[Result "1-0"]

1. e4 e5 2. Bc4 d6 3. Nf3 Bg4 {This pins the knight.} 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7
7. Nd5# 1-0

[White "<b>Bold</b>"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
"""


class Fault(Exception):
    """Something on the page is not as it should be."""


def arguments():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--engine", default="target/release/arborist")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    parser.add_argument("--driver", default="/usr/bin/chromedriver")
    parser.add_argument("--page", help="look at this page's looks only; with --shots")
    parser.add_argument("--shots", help="folder for pictures of what was seen")
    return parser.parse_args()


def started(options, profile):
    """A browser that keeps to itself."""
    chrome = webdriver.ChromeOptions()
    chrome.binary_location = options.browser
    for flag in (
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        f"--user-data-dir={profile}", "--window-size=1280,1300",
    ):
        chrome.add_argument(flag)
    chrome.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=options.driver)
    return webdriver.Chrome(options=chrome, service=service)


class Page:
    """The page, as somebody sees and uses it."""

    def __init__(self, driver, shots):
        self.driver, self.shots = driver, shots

    def check(self, claim, holds):
        print(f"{'ok' if holds else 'NOT'}: {claim}")
        if not holds:
            raise Fault(claim)

    def all(self, selector):
        """Everything of the game that is shown."""
        return self.driver.find_elements(By.CSS_SELECTOR, f"article:not([hidden]) {selector}")

    def one(self, selector):
        return self.all(selector)[0]

    def man(self, square):
        """The piece that is drawn on a square, such as wN, or None."""
        uses = self.all(f".board use[data-square='{square}']")
        return uses[0].get_attribute("href").lstrip("#") if uses else None

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def status(self):
        return self.one(".status").text

    def chosen(self):
        """Numbers of the moves that are marked in the list."""
        current = self.all(".moves [aria-current]")
        return [int(button.get_attribute("data-ply")) for button in current]

    def scheme(self, name):
        """Light or dark, as the system would say."""
        feature = {"name": "prefers-color-scheme", "value": name}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def width(self, pixels):
        metrics = {"width": pixels, "height": 1300, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def shoot(self, name):
        if self.shots:
            # Pieces glide to their squares for a moment.
            time.sleep(0.4)
            self.driver.save_screenshot(str(Path(self.shots) / f"{name}.png"))


def look(page):
    """What is there at first."""
    page.check("the board has 64 squares", len(page.all(".board rect.l, .board rect.d")) == 64)
    page.check("all 32 men stand on it", len(page.all(".board use")) == 32)
    page.check("13 moves are listed", len(page.all(".moves button")) == 13)
    for graph in page.all(".graph"):
        page.check("a graph has room", graph.size["width"] > 300 and graph.size["height"] > 50)
    curve = page.one(".curve").get_attribute("d")
    page.check("the curve has 14 points", len(curve.split()) == 28)
    page.check("the blunder is on the graph", len(page.all(".graph i.blunder")) >= 1)
    page.check("its sign is in the list", page.one("[data-ply='10'] b").text == "??")


def step(page):
    """Clicks and keys move the pieces."""
    page.one("[data-ply='1']").click()
    page.check("a click on 1. e4 moves the pawn", (page.man("e4"), page.man("e2")) == ("wP", None))
    page.check("the move is marked", page.chosen() == [1])
    page.check("the status says so", "1. e4" in page.status())
    page.press(Keys.ARROW_RIGHT)
    page.check("right arrow plays 1... e5", page.man("e5") == "bP" and page.chosen() == [2])
    page.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    page.check("left arrow goes back to the start", page.man("e2") == "wP" and page.chosen() == [])
    page.press(Keys.END)
    page.check("End shows the mate", page.man("d5") == "wN" and "checkmate" in page.status())
    page.check("the king in check is lit", len(page.all(".board .check")) == 1)
    page.press(Keys.HOME, Keys.ARROW_DOWN)
    page.check("down goes to a bad move", len(page.all(".moves [aria-current] b:not(:empty)")) == 1)
    page.one("[data-ply='6']").click()
    page.check("people's words are shown", page.one(".note").text == "This pins the knight.")
    page.one("[data-ply='10']").click()
    page.check("the better move is named", "better was dxe5" in page.status())


def use(page):
    """Graphs, lines, turning, and another game."""
    graph = page.one(".graph.evaluation")
    quarter = -graph.size["width"] // 4
    ActionChains(page.driver).move_to_element_with_offset(graph, quarter, 0).click().perform()
    page.check("a click on the graph goes there", page.chosen() == [3])
    left = page.one(".graph.evaluation .cursor").value_of_css_property("left")
    page.check("its cursor follows", float(left.removesuffix("px")) > 0)
    page.check("its value is told", "2. Bc4" in graph.get_attribute("aria-valuetext"))
    page.one("[data-ply='9']").click()
    before = page.driver.find_element(By.CSS_SELECTOR, ".board").get_attribute("aria-label")
    page.one(".lines li button:nth-of-type(2)").click()
    after = page.driver.find_element(By.CSS_SELECTOR, ".board").get_attribute("aria-label")
    page.check("a line of the engine can be followed", before != after)
    page.press(Keys.ARROW_RIGHT)
    page.check("and left again", page.chosen() == [10])
    place = "return document.querySelector(\"use[data-square='e1']\").style.transform"
    before = page.driver.execute_script(place)
    page.press("f")
    page.check("the board turns", page.driver.execute_script(place) != before)
    page.press("f")
    Select(page.driver.find_element(By.ID, "choice")).select_by_index(1)
    page.check("another game can be chosen", len(page.all(".moves button")) == 4)
    page.check("names are text", page.one("h1").text.startswith("<b>Bold</b>"))
    Select(page.driver.find_element(By.ID, "choice")).select_by_index(0)


def dress(page):
    """Light, dark, narrow."""
    grounds = []
    page.one("[data-ply='10']").click()
    for scheme in ("light", "dark"):
        page.scheme(scheme)
        body = page.driver.find_element(By.TAG_NAME, "body")
        grounds.append(body.value_of_css_property("background-color"))
        page.shoot(scheme)
    page.check("dark is not light", grounds[0] != grounds[1])
    page.width(390)
    overhang = "return document.documentElement.scrollWidth - window.innerWidth"
    page.shoot("narrow")
    page.check("a telephone is wide enough", page.driver.execute_script(overhang) <= 0)


def silent(page):
    """No request, no complaint."""
    fetched = page.driver.execute_script("return performance.getEntriesByType('resource').length")
    page.check("nothing is fetched", fetched == 0)
    complaints = page.driver.get_log("browser")
    for complaint in complaints:
        print(complaint)
    page.check("the console is empty", not complaints)


def main():
    """Makes the page, opens it, and looks."""
    options = arguments()
    if options.shots:
        Path(options.shots).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        html = Path(options.page or Path(folder) / "report.html").resolve()
        if not options.page:
            games = Path(folder) / "games.pgn"
            games.write_text(GAMES, encoding="utf-8")
            command = [options.engine, "analyse", str(games), "--nodes", "20000", "--multipv", "2"]
            subprocess.run([*command, "--html", str(html)], check=True)
        driver = started(options, Path(folder) / "profile")
        try:
            driver.get(html.as_uri())
            page = Page(driver, options.shots)
            parts = (dress, silent) if options.page else (look, step, use, dress, silent)
            for part in parts:
                part(page)
        except Fault as fault:
            print(f"FAILED: {fault}")
            return 1
        finally:
            driver.quit()
    print("all is well")
    return 0


if __name__ == "__main__":
    sys.exit(main())
