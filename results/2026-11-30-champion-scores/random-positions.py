"""Random positions of 7x6: python3 positions.py > positions.txt

Each move is drawn uniformly among the legal ones; games that end before are drawn again; no board twice, up to mirror."""
import random

draw = random.Random(2026)


def wins(cells, column, row):
    for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
        count = 1
        for sign in (1, -1):
            c, r = column + sign * dc, row + sign * dr
            while cells.get((c, r)) == cells[column, row]:
                count, c, r = count + 1, c + sign * dc, r + sign * dr
        if count >= 4:
            return True
    return False


def game(stones):
    heights, cells, moves = [0] * 7, {}, ""
    for ply in range(stones):
        column = draw.choice([c for c in range(7) if heights[c] < 6])
        cells[column, heights[column]] = ply % 2
        if wins(cells, column, heights[column]):
            return None
        heights[column] += 1
        moves += str(column + 1)
    board = tuple(sorted((c, r, p) for (c, r), p in cells.items()))
    mirror = tuple(sorted((6 - c, r, p) for c, r, p in board))
    return min(board, mirror), moves or "-"


for plies, count in ((range(10, 42), 3320), (range(7, 10), 200), (range(7), 15)):
    for stones in plies:
        seen, tries = set(), 0
        while len(seen) < count and tries < 100 * count:
            tries += 1
            found = game(stones)
            if found and found[0] not in seen:
                seen.add(found[0])
                print(found[1])
