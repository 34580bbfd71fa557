// A solver of Connect Four that c4lab can ask: put your own search in the place of `score`.
//
// It reads one position a line and answers each with one line: the moves, the score, the nodes. Try it:
//
//     javac -d classes examples/engines/Solver.java
//     c4lab check 'java -cp classes Solver'

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.HashMap;

public class Solver {
    static final int WIDTH = 7, HEIGHT = 6, SQUARES = WIDTH * HEIGHT;
    /** Bits from one column to the next: six squares and one that stays empty. */
    static final int STEP = HEIGHT + 1;
    static final int[] CENTRE_FIRST = {3, 2, 4, 1, 5, 0, 6};

    static long nodes = 0;
    static final HashMap<Long, Integer> table = new HashMap<>();

    static boolean hasFour(long stones) {
        for (int shift : new int[] {1, STEP, STEP - 1, STEP + 1}) {
            long pairs = stones & (stones >>> shift);
            if ((pairs & (pairs >>> (2 * shift))) != 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * The score from the side to move, if it lies between alpha and beta; else a bound of it. `mover` has a bit for each stone of the side to
     * move, `both` a bit for each stone. 0 is a draw, a win is 22 minus the number of the winner's stones, a loss the same below 0.
     */
    static int score(long mover, long both, int alpha, int beta) {
        nodes++;
        int count = Long.bitCount(both);
        if (count == SQUARES) {
            return 0;
        }
        long[] moves = new long[WIDTH];
        int playable = 0;
        for (int column : CENTRE_FIRST) {
            long all = ((1L << HEIGHT) - 1) << (column * STEP);
            long square = (both + (1L << (column * STEP))) & ~both & all;
            if (square == 0) {
                continue;
            }
            if (hasFour(mover | square)) {
                return (SQUARES + 1 - count) / 2;
            }
            moves[playable++] = square;
        }
        // The stones of one side and all stones, as one number that no other position has.
        long key = mover + both;
        int most = table.getOrDefault(key, (SQUARES - 1 - count) / 2);
        if (beta > most) {
            beta = most;
            if (alpha >= beta) {
                return beta;
            }
        }
        for (int index = 0; index < playable; index++) {
            int found = -score(both ^ mover, both | moves[index], -beta, -alpha);
            if (found >= beta) {
                return found;
            }
            alpha = Math.max(alpha, found);
        }
        table.put(key, alpha);
        return alpha;
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length > 0 && arguments[0].equals("--version")) {
            System.out.println("example-java 1.0");
            return;
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String moves = line.trim();
            long mover = 0, both = 0;
            for (char digit : moves.replace("-", "").toCharArray()) {
                mover ^= both;
                both |= both + (1L << ((digit - '1') * STEP));
            }
            nodes = 0;
            table.clear();
            int found = score(mover, both, -21, 21);
            System.out.println(moves + " " + found + " " + nodes);
            // Every answer is flushed: c4lab waits for it.
            System.out.flush();
        }
    }
}
