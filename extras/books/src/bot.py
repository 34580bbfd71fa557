"""A connect-four bot that does not give the value of the game away.

It keeps every win and every draw. In the opening it plays stored moves that were proven before. Later it searches for a proof within
the time of a move. Written by c4lab; only the standard library is used.

    generate_move(board, player, saved_state)   the function of a bot that plays in a tournament
    python3 bot.py < games                      reads lines of moves, columns from 1 (4434), and prints a move for each
    python3 bot.py --nodes 20000 < games        with a limit on nodes instead of time
"""

import base64
import functools
import sys
import time
import zlib

WIDTH, HEIGHT = 7, 6
# The time of a move, in seconds.
MOVE_SECONDS = 1.0
# The store has moves for boards with fewer stones than this: the ranks of moves, in the order of a rule.
STORE_STONES = 0
# For the first player, and for the second.
STORE = ["", ""]
STORE_CHECKSUMS = [0, 0]

LAST_LINE = b"# The end of the bot."


def check_whole():
    """Refuses a truncated file that is still valid Python."""
    try:
        with open(__file__, "rb") as file:
            is_whole = file.read().rstrip().endswith(LAST_LINE)
    except (NameError, OSError):
        # There is no readable file to check.
        return
    if not is_whole:
        raise ValueError("this bot is damaged: it is cut off")


check_whole()

# A board is two numbers: the stones of the side to move, and all stones. Square = column * STRIDE + row, from the
# bottom; the highest square of each column is always empty.
STRIDE = HEIGHT + 1
CELLS = WIDTH * HEIGHT
BOTTOM = sum(1 << column * STRIDE for column in range(WIDTH))
BOARD = BOTTOM * ((1 << HEIGHT) - 1)
COLUMNS = [((1 << HEIGHT) - 1) << column * STRIDE for column in range(WIDTH)]
ODD_ROWS = sum(BOTTOM << row for row in range(0, HEIGHT, 2))
EVEN_ROWS = BOARD ^ ODD_ROWS
# Columns from the centre out, the left one first.
CENTRE_FIRST = [WIDTH // 2 + ((turn + 1) // 2) * (-1 if turn % 2 else 1) for turn in range(WIDTH)]
ACROSS = (STRIDE, STRIDE - 1, STRIDE + 1)

# Several boards lie side by side in one long number, so that one operation works on all of them:
#
#   | board of move 3 | 0 | board of move 2 | 0 | board of move 1 |
#
# A lane has room for a board and for the farthest shift.
LANE = WIDTH * STRIDE + 3 * (STRIDE + 1)
LANE_ONES = (1 << LANE) - 1
EACH = [sum(1 << lane * LANE for lane in range(count)) for count in range(WIDTH + 1)]


def winning(stones, free):
    """The free squares that complete four in a row."""
    found = stones << 1 & stones << 2 & stones << 3
    for step in ACROSS:
        up, down = stones << step, stones >> step
        far_up, far_down = stones << 2 * step, stones >> 2 * step
        pair = up & far_up
        found |= pair & (stones << 3 * step | down)
        pair = down & far_down
        found |= pair & (stones >> 3 * step | up)
    return found & free


def fours(stones):
    """One square of each four in a row: 0 if there is none."""
    pairs = stones & stones >> 1
    found = pairs & pairs >> 2
    for step in ACROSS:
        pairs = stones & stones >> step
        found |= pairs & pairs >> 2 * step
    return found


def upwards(squares, count):
    """Squares and all squares above them, in `count` lanes."""
    for row in range(1, HEIGHT):
        squares |= squares << 1 & BOARD * EACH[count]
    return squares


# The rule: an order of the moves. The store has a rank in this order, which is 0 if the first move keeps the value.


def ranked(mover, mask):
    """The playable columns: a win alone, or else the moves with most threats first, and losing moves last."""
    other, possible = mover ^ mask, mask + BOTTOM & BOARD
    moves = []
    for column in CENTRE_FIRST:
        move = possible & COLUMNS[column]
        if move:
            if fours(mover | move):
                return [column]
            stones = mask | move
            loses = winning(other, BOARD ^ stones) & stones + BOTTOM & BOARD != 0
            threats = winning(mover | move, BOARD ^ stones).bit_count()
            moves.append((loses, -threats, len(moves), column))
    return [column for *_, column in sorted(moves)]


def mirrored(stones):
    """The mirror image of stones."""
    image = 0
    for column in range(WIDTH):
        image |= (stones >> column * STRIDE & COLUMNS[0]) << (WIDTH - 1 - column) * STRIDE
    return image


# The store: the rank of the move in each position, usually 0. It is a function without keys, the exclusive or of three
# slots.

WORD = (1 << 64) - 1


def mix(key, seed):
    """A hash: each bit depends on all bits of the key."""
    mixed = key + seed * 0x9E3779B97F4A7C15 & WORD
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & WORD
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & WORD
    return mixed ^ mixed >> 31


class Function:
    """Values of `bits` bits, by key: the exclusive or of three slots."""

    def __init__(self, packed, begin):
        self.bits, self.seed = packed[begin], packed[begin + 1]
        self.third = int.from_bytes(packed[begin + 2 : begin + 6], "little")
        self.packed, self.begin = packed, begin + 6
        self.end = self.begin + (3 * self.third * self.bits + 7) // 8

    def slot(self, place):
        bit = place * self.bits
        byte = self.begin + bit // 8
        return int.from_bytes(self.packed[byte : byte + 2], "little") >> bit % 8 & (1 << self.bits) - 1

    def value(self, key):
        mixed, value = mix(key, self.seed), 0
        for number, turn in enumerate((0, 21, 42)):
            word = (mixed << turn | mixed >> 64 - turn) & 0xFFFFFFFF
            value ^= self.slot(number * self.third + (word * self.third >> 32))
        return value


class Ranks:
    """Ranks by key. Each level has a filter of keys that may have its rank or more, and a function that decides."""

    def __init__(self, packed):
        self.levels, begin = [], 1
        for _ in range(packed[0]):
            passes = Function(packed, begin)
            is_true = Function(packed, passes.end)
            self.levels.append((passes, is_true))
            begin = is_true.end
        if begin != len(packed):
            raise ValueError("this bot is damaged: its store has another length")

    def rank(self, key):
        rank = 0
        for passes, is_true in self.levels:
            if passes.value(key) != mix(key, WORD) & (1 << passes.bits) - 1 or not is_true.value(key):
                break
            rank += 1
        return rank


def unpacked(text, checksum):
    """The ranks of a player; None if the store has no moves of this player."""
    if not text:
        return None
    packed = base64.b64decode(text)
    if zlib.crc32(packed) != checksum:
        raise ValueError("this bot is damaged: its store has another checksum")
    return Ranks(packed)


RANKS = [unpacked(text, checksum) for text, checksum in zip(STORE, STORE_CHECKSUMS)]


# Cached, because lines of moves pass through the same boards.
@functools.lru_cache(maxsize=1 << 16)
def stored(mover, mask):
    """The column of a proven move; None if the store has none."""
    stones = mask.bit_count()
    ranks = RANKS[stones % 2] if stones < STORE_STONES else None
    if ranks is None:
        return None
    image = mirrored(mover), mirrored(mask)
    is_image = image < (mover, mask)
    if is_image:
        mover, mask = image
    moves, rank = ranked(mover, mask), ranks.rank(mover + mask)
    if rank >= len(moves):
        return None
    return WIDTH - 1 - moves[rank] if is_image else moves[rank]


# The search, for the winner only.


class Stopped(Exception):
    """The search reached its limit on time or nodes."""


class Search:
    """Proofs that a side wins (goal 1), or does not lose (goal 0)."""

    def __init__(self, until=None, nodes=None):
        self.until, self.left = until, nodes
        # By board: the least and the most value of the mover, of -1, 0 and 1.
        self.known = {}
        self.nodes = 0

    def count(self):
        self.nodes += 1
        if self.left is not None and self.nodes > self.left:
            raise Stopped
        if self.until is not None and self.nodes % 64 == 0 and time.perf_counter() > self.until:
            raise Stopped

    def reaches(self, mover, mask, own, danger, goal):
        """True if the mover's value is at least `goal`. `own` and `danger` are the free squares that complete four for the mover and
        for the other side. No square of `own` can be played at once."""
        self.count()
        possible = mask + BOTTOM & BOARD
        forced = possible & danger
        if forced:
            if forced & forced - 1:
                return False
            possible = forced
        elif not possible:
            return goal == 0
        # No move below a square where the other side wins.
        possible &= ~(danger >> 1)
        moves = [possible & COLUMNS[column] for column in CENTRE_FIRST if possible & COLUMNS[column]]
        if not moves:
            return False
        children = self.children(mover, mask, moves, danger, goal)
        if children is True:
            return True
        other = mover ^ mask
        for _, _, move, threats in children:
            board = mask | move
            if not self.after(other, board, danger & ~move, threats, 1 - goal):
                return True
        return False

    def after(self, mover, mask, own, danger, goal):
        """As `reaches`, with a look into the table first."""
        key = mover + mask
        least, most = self.known.get(key, (-1, 1))
        if least >= goal:
            return True
        if most < goal:
            return False
        reached = self.reaches(mover, mask, own, danger, goal)
        self.known[key] = (goal, most) if reached else (least, goal - 1)
        return reached

    def children(self, mover, mask, moves, danger, goal):
        """The moves that need a search, the most promising first, each with the squares that then complete four; True if a move
        reaches the goal without a search."""
        count, other, free = len(moves), mover ^ mask, BOARD ^ mask
        each = EACH[count]
        placed = 0
        for lane, move in enumerate(moves):
            placed |= move << lane * LANE
        mine, theirs = mover * each | placed, other * each
        empty = free * each ^ placed
        threats = winning(mine, empty)
        playable = (mask * each | placed) + BOTTOM * each & BOARD * each
        lost = self.lost(mine, theirs, empty, threats, playable, count, goal, mask.bit_count() + 1)
        rows = EVEN_ROWS if mask.bit_count() % 2 else ODD_ROWS
        found = []
        for lane, move in enumerate(moves):
            shift = lane * LANE
            wins, replies = threats >> shift & LANE_ONES, playable >> shift & LANE_ONES
            if not replies:
                # The board is full: a draw.
                if goal == 0:
                    return True
                continue
            forced = wins & replies
            if forced & forced - 1 or not (forced or replies) & ~(wins >> 1) or lost >> lane & 1:
                return True
            worth = (
                7 * (wins & replies << 1).bit_count()
                + 3 * (wins & wins << 1).bit_count()
                + wins.bit_count()
                + (wins & rows).bit_count()
                + 6 * forced.bit_count()
            )
            found.append((-worth, lane, move, wins))
        found.sort()
        return found

    def lost(self, mine, theirs, empty, threats, playable, count, goal, stones):
        """A bit for each lane whose goal is proven by squares that the side that just moved is sure to get: c4lab's zugzwang.rs."""
        if HEIGHT % 2:
            return 0
        proven = 0
        if stones % 2 == 0:
            # The second player just moved: it answers every stone by the stone above, and gets the even rows.
            claimed = empty & EVEN_ROWS * EACH[count] & ~playable
            blocked = upwards(threats & claimed, count) if threats & claimed else 0
            open_lines = fours(theirs | empty & ~(claimed | blocked))
            wins = fours(mine | claimed) if goal else LANE_ONES << count * LANE
            for lane in range(count):
                shift = lane * LANE
                if not open_lines >> shift & LANE_ONES and (not goal or wins >> shift & LANE_ONES):
                    proven |= 1 << lane
            return proven
        # The first player just moved: it also answers by the stone above, except in the column of its threat in an odd
        # row.
        odd = threats & ODD_ROWS * EACH[count]
        if odd:
            odd &= upwards(playable & EVEN_ROWS * EACH[count], count)
        while odd:
            threat = odd & -odd
            odd ^= threat
            lane = (threat.bit_length() - 1) // LANE
            shift = lane * LANE
            threat >>= shift
            column = next(column for column in COLUMNS if column & threat)
            free = empty >> shift & LANE_ONES
            claimed = free & EVEN_ROWS & ~(playable >> shift) & ~column
            blocked = threats >> shift & claimed
            blocked = upwards(blocked, 1) if blocked else 0
            beyond = column & (ODD_ROWS | ~(threat - 1))
            if not fours(theirs >> shift & LANE_ONES | free & ~(claimed | blocked | beyond)):
                proven |= 1 << lane
        if not goal and stones * 3 >= CELLS * 2:
            open_lines = fours(theirs | empty)
            for lane in range(count):
                if not open_lines >> lane * LANE & LANE_ONES:
                    proven |= 1 << lane
        return proven


def searched(mover, mask, least, until=None, nodes=None):
    """The column of a move that keeps the mover's value, which is at least `least`, and this value. If the search was stopped, the
    best guess and None."""
    image = mirrored(mover), mirrored(mask)
    if image < (mover, mask):
        # Mirror images get mirrored moves.
        column, value = searched(*image, least, until, nodes)
        return WIDTH - 1 - column, value
    order = ranked(mover, mask)
    if fours(mover | mask + BOTTOM & COLUMNS[order[0]]):
        return order[0], 1
    other = mover ^ mask
    search = Search()
    begun = time.perf_counter()
    lost = set()
    proven = True
    for goal in (1, 0):
        # Half of the limit is for a win, the rest for a draw.
        part = 2 if goal and least < 1 else 1
        search.until = until and begun + (until - begun) / part
        search.left = nodes and nodes // part
        try:
            for column in order:
                if (column, goal) in lost:
                    continue
                move = mask + BOTTOM & COLUMNS[column]
                stones = mask | move
                free = BOARD ^ stones
                own, danger = winning(other, free), winning(mover | move, free)
                if own & stones + BOTTOM & BOARD:
                    lost.add((column, 0))
                elif not search.after(other, stones, own, danger, 1 - goal):
                    return column, (goal if proven else None)
        except Stopped:
            proven = False
        if least == goal:
            break
    keep = [column for column in order if (column, 0) not in lost]
    return (keep or order)[0], (-1 if proven else None)


# Playing.


def check(mover, mask):
    """Refuses boards of finished games, and boards that no game leads to."""
    if mask == BOARD or fours(mover) or fours(mover ^ mask):
        raise ValueError("the game is over")
    mine, stones = mover.bit_count(), mask.bit_count()
    if mine != stones // 2:
        raise ValueError(f"{mine} stones of {stones} are the player's: it is not this player's turn")


def chosen(mover, mask, least=-1, until=None, nodes=None):
    """The column of the move, and the value of the position, or None if it is not known."""
    column = stored(mover, mask)
    if column is not None:
        return column, None
    return searched(mover, mask, least, until, nodes)


def position(board, player):
    """The stones of the player and all stones. The first row of `board` is the top one; each square is 0, 1 or 2."""
    if len(board) != HEIGHT or any(len(row) != WIDTH for row in board):
        raise ValueError(f"the board has {HEIGHT} rows of {WIDTH} squares")
    if player not in (1, 2):
        raise ValueError("the player is 1 or 2")
    mover = mask = 0
    for column in range(WIDTH):
        for row in range(HEIGHT):
            stone = board[HEIGHT - 1 - row][column]
            if stone not in (0, 1, 2):
                raise ValueError(f"a square is 0, 1 or 2, not {stone}")
            square = 1 << column * STRIDE + row
            if stone:
                mask |= square
            if stone == player:
                mover |= square
    if mask + BOTTOM & mask:
        raise ValueError("a stone has nothing below it")
    return mover, mask


def generate_move(board, player, saved_state=None, nodes=None):
    """The column of a move, from 0, and the `saved_state` of the next call.

    A board that no game leads to, or on which it is not the player's turn, is a ValueError. With `nodes` the search is limited by nodes
    instead of time.
    """
    begun = time.perf_counter()
    mover, mask = position(board, player)
    check(mover, mask)
    # The value that the last move kept is still a lower bound, if this is the same game.
    least = -1
    if saved_state:
        before_mover, before_mask, value = saved_state
        if before_mover == mover and (before_mask & mask) == before_mask and mask.bit_count() == before_mask.bit_count() + 1:
            least = value
    until = None if nodes else begun + MOVE_SECONDS * 0.85
    column, value = chosen(mover, mask, least, until, nodes)
    move = mask + BOTTOM & COLUMNS[column]
    kept = max(least, -1 if value is None else value)
    return column, (mover | move, mask | move, kept)


def replayed(moves):
    """The stones of the mover and all stones, after moves in columns from 1; and True if the mover's earlier moves are those of the
    store, so that it has this position."""
    mover = mask = 0
    is_stored = len(moves) < STORE_STONES
    for turn, letter in enumerate(moves):
        column = ord(letter) - ord("1")
        move = mask + BOTTOM & COLUMNS[column] if 0 <= column < WIDTH else 0
        if not move:
            raise ValueError(f"{letter}: no move here")
        check(mover, mask)
        if is_stored and turn % 2 == len(moves) % 2:
            known = stored(mover, mask)
            # On a symmetric board two columns are the same move.
            is_either = (mirrored(mover), mirrored(mask)) == (mover, mask) and known == WIDTH - 1 - column
            is_stored = known in (None, column) or is_either
        mover, mask = mover ^ mask, mask | move
    check(mover, mask)
    return mover, mask, is_stored


def main():
    nodes = None
    if sys.argv[1:2] == ["--nodes"] and len(sys.argv) == 3 and sys.argv[2].isdigit():
        nodes = int(sys.argv[2])
    elif sys.argv[1:]:
        sys.exit(__doc__)
    for line in sys.stdin:
        begun = time.perf_counter()
        try:
            mover, mask, is_stored = replayed(line.strip().strip("-"))
        except ValueError as error:
            sys.exit(f"{line.strip()}: {error}")
        until = None if nodes else begun + MOVE_SECONDS * 0.85
        # The store has only positions that its own moves lead to.
        choose = chosen if is_stored else searched
        column, _ = choose(mover, mask, -1, until, nodes)
        print(column + 1, flush=True)


if __name__ == "__main__":
    main()

# The end of the bot.
