"""Plays the moves of a Python file with generate_move(board, player, saved_state), as in G. Vandewiele, "Creating the (nearly)
perfect connect-four bot with limited move time and file size".

Prints a line when the file is loaded. Then it reads lines of moves (columns from 1, `-` for none), and prints each with the column of the bot. The board is an array of NumPy, or a
list of rows where NumPy is not installed: the top row first, 0 for an empty square, else the number of the player, 1 or 2. The bot
returns a column from 0, or a column and a state. What it prints goes to stderr.
"""

import importlib.util
import os
import sys

try:
    import numpy
except ImportError:
    numpy = None

PATH, WIDTH, HEIGHT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def generate_move_of(path):
    spec = importlib.util.spec_from_file_location("bot", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["bot"] = module
    spec.loader.exec_module(module)
    return module.generate_move


def board_after(columns):
    stacks = [[] for _ in range(WIDTH)]
    for turn, column in enumerate(columns):
        stacks[column].append(turn % 2 + 1)
    rows = [[stack[row] if row < len(stack) else 0 for stack in stacks] for row in reversed(range(HEIGHT))]
    return rows if numpy is None else numpy.array(rows)


def column_and_state(answer):
    column, state = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, None)
    try:
        number = int(column)
    except (OverflowError, TypeError, ValueError):
        number = None
    if number is None or number != column or not 0 <= number < WIDTH:
        sys.exit(f"{PATH}: generate_move returned {answer!r}, which is no column (0 to {WIDTH - 1})")
    return number, state


# The answers have a channel of their own: what the bot or its children print goes to stderr.
answers = os.fdopen(os.dup(1), "w", encoding="ascii")
os.dup2(2, 1)
sys.path[0] = os.path.dirname(os.path.abspath(PATH))
generate_move = generate_move_of(PATH)
print("ready", file=answers, flush=True)
expected, state = None, None
for line in sys.stdin:
    moves = line.strip()
    columns = [int(letter, 36) - 1 for letter in moves.replace("-", "")]
    # The state is of the same game: it goes on from the last move of the bot.
    if columns[:-1] != expected:
        state = None
    column, state = column_and_state(generate_move(board_after(columns), len(columns) % 2 + 1, state))
    expected = [*columns, column]
    print(moves, "0123456789abcdefghijklmnopqrstuvwxyz"[column + 1], file=answers, flush=True)
