#!/usr/bin/env python3
"""Plays games between Arborist and another engine, with python-chess as the client.

A real client starts the engine, sends options and clocks, reads every line and checks
every move and every principal variation. The clocks are kept here: a move costs the wall
time from before `go` is sent until its answer has been read. The opponent plays at its
lowest strength, because the result is not the point; the faults are.

    python3 -m venv venv && venv/bin/pip install chess
    venv/bin/python tests/clients/match.py --games 100 --opponent /usr/games/stockfish

Exit code: 0 without a fault of the engine under test, 1 with one, 2 for bad arguments.
"""

import argparse
import asyncio
import logging
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import chess
import chess.engine

UNDER_TEST, OPPONENT = 0, 1
# Seconds beyond its clock after which an engine that is silent counts as hung.
PATIENCE = 30.0


class Fault(Exception):
    """A side has forfeited the game: by an illegal move, on time or in another way."""

    def __init__(self, side, kind, text):
        super().__init__(text)
        self.side, self.kind = side, kind


class Complaints(logging.Handler):
    """Collects what python-chess says about an engine's output (such as an illegal line)."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())


def arguments():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--engine", default="target/release/arborist", help="the engine under test")
    parser.add_argument("--opponent", default="/usr/games/stockfish", help="the other engine")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--tc", default="1+0.01", help="seconds and increment, such as 1+0.01")
    parser.add_argument("--margin", type=float, default=0, help="milliseconds of grace on a clock")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE",
                        help="an option for the engine under test; may be repeated")
    parser.add_argument("--ponder", action="store_true", help="let it think on the other's time")
    parser.add_argument("--chess960", action="store_true", help="draw Chess960 start positions")
    parser.add_argument("--seed", type=int, default=1, help="chooses the openings")
    args = parser.parse_args()
    try:
        base, _, increment = args.tc.partition("+")
        args.base, args.increment = float(base), float(increment or 0)
        args.option = dict(entry.split("=", 1) for entry in args.option)
    except ValueError:
        parser.error("--tc is like 1+0.01 and --option like Hash=64")
    for path in (args.engine, args.opponent):
        if not Path(path).is_file():
            parser.error(f"there is no file {path}")
    if args.games < 1 or args.concurrency < 1:
        parser.error("--games and --concurrency are at least 1")
    return args


def opening(seed, chess960):
    """A start position followed by a few random moves, with a legal move left."""
    rng = random.Random(seed)
    while True:
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
        for _ in range(rng.randint(2, 8)):
            moves = list(board.legal_moves)
            if moves:
                board.push(rng.choice(moves))
        if board.outcome(claim_draw=True) is None:
            return board


def weakest(options):
    """The settings, among those an engine offers, that make it play worst."""
    settings = {}
    if "UCI_LimitStrength" in options and "UCI_Elo" in options:
        settings.update({"UCI_LimitStrength": True, "UCI_Elo": options["UCI_Elo"].min})
    if "Skill Level" in options:
        settings["Skill Level"] = options["Skill Level"].min
    return settings


async def start(args):
    """Starts and configures both engines; the engine under test is the first."""
    _, tested = await chess.engine.popen_uci(args.engine)
    await tested.configure(args.option)
    _, opponent = await chess.engine.popen_uci(args.opponent)
    await opponent.configure(weakest(opponent.options))
    return tested, opponent


async def leave(engine):
    """Ends an engine, and says whether it needed to be killed."""
    try:
        await asyncio.wait_for(engine.quit(), PATIENCE)
        return False
    except (asyncio.TimeoutError, chess.engine.EngineError):
        engine.transport.kill()
        return True


async def ask(engine, side, board, clocks, args, game):
    """One move of one side, timed: the move and the seconds it took."""
    limit = chess.engine.Limit(
        white_clock=clocks[chess.WHITE], white_inc=args.increment,
        black_clock=clocks[chess.BLACK], black_inc=args.increment)
    tested = side == UNDER_TEST
    info = chess.engine.INFO_ALL if tested else chess.engine.INFO_NONE
    began = time.perf_counter()
    try:
        answer = await asyncio.wait_for(
            engine.play(board, limit, game=game, info=info, ponder=tested and args.ponder),
            clocks[board.turn] + PATIENCE)
    except asyncio.TimeoutError:
        raise Fault(side, "exceptions", "no answer") from None
    except chess.engine.EngineTerminatedError as error:
        raise Fault(side, "exceptions", f"it ended: {error}") from error
    except chess.engine.EngineError as error:
        raise Fault(side, "illegal", str(error)) from error
    took = time.perf_counter() - began
    if answer.move is None or answer.move not in board.legal_moves:
        raise Fault(side, "illegal", f"{answer.move} in {board.fen()}")
    return answer.move, took


async def play(engines, board, white, args, complaints):
    """A game from `board`, where side `white` has White: the winner, or None for a draw."""
    clocks = {chess.WHITE: args.base, chess.BLACK: args.base}
    game = object()
    while (outcome := board.outcome(claim_draw=True)) is None:
        side = white if board.turn == chess.WHITE else 1 - white
        complaints.texts.clear()
        move, took = await ask(engines[side], side, board, clocks, args, game)
        if side == UNDER_TEST and complaints.texts:
            raise Fault(side, "exceptions", complaints.texts[0])
        left = clocks[board.turn] - took
        if left + args.margin / 1000 < 0:
            raise Fault(side, "time", f"{-left * 1000:.1f} ms over in {board.fen()}")
        clocks[board.turn] = max(left, 0.0) + args.increment
        board.push(move)
    if outcome.winner is None:
        return None
    return white if outcome.winner == chess.WHITE else 1 - white


async def pair(number, games, args):
    """One or two games from one opening, with colours changed: counts and remarks."""
    complaints, counts, remarks = Complaints(), Counter(), []
    logger = logging.getLogger("chess.engine")
    logger.handlers, logger.propagate = [complaints], False
    engines = await start(args)
    for white in (UNDER_TEST, OPPONENT)[:games]:
        board = opening(args.seed * 1_000_003 + number, args.chess960)
        try:
            winner = await play(engines, board, white, args, complaints)
        except Fault as fault:
            winner = 1 - fault.side
            name = ("engine under test", "opponent")[fault.side]
            remarks.append(f"{name}: {fault.kind}: {fault}")
            if fault.side == UNDER_TEST:
                counts[fault.kind] += 1
            if fault.kind != "time":
                for engine in engines:
                    await leave(engine)
                engines = await start(args)
        counts[{UNDER_TEST: "W", OPPONENT: "L", None: "D"}[winner]] += 1
    if await leave(engines[UNDER_TEST]):
        counts["exceptions"] += 1
        remarks.append("engine under test: exceptions: it did not quit")
    await leave(engines[OPPONENT])
    return counts, remarks


def run_pair(number, games, args):
    """A pair in a process of its own, so that no other game delays its clock."""
    return asyncio.run(pair(number, games, args))


def report(counts):
    """The closing line."""
    games = counts["W"] + counts["D"] + counts["L"]
    return (f"games {games} W {counts['W']} D {counts['D']} L {counts['L']}  "
            f"illegal {counts['illegal']} time {counts['time']} exceptions {counts['exceptions']}")


def main():
    """Plays the match and returns the exit code."""
    args = arguments()
    total = Counter()
    pairs = [(n, min(2, args.games - 2 * n)) for n in range((args.games + 1) // 2)]
    with ProcessPoolExecutor(args.concurrency) as pool:
        tasks = [pool.submit(run_pair, number, games, args) for number, games in pairs]
        for done, task in enumerate(as_completed(tasks), start=1):
            counts, remarks = task.result()
            total += counts
            for remark in remarks:
                print(remark, flush=True)
            if done % 5 == 0 and done < len(tasks):
                print(report(total), flush=True)
    print(report(total))
    return 1 if total["illegal"] or total["time"] or total["exceptions"] else 0


if __name__ == "__main__":
    sys.exit(main())
