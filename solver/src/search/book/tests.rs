use super::*;
use crate::game::perft::A212693;

/// A board whose search is built, and small.
fn small() -> BoardSize {
    BoardSize::new(6, 5).unwrap()
}

/// A book whose last ply has made-up scores, which all others follow from.
fn made_up(size: BoardSize, last: u32) -> Book {
    let count = positions(size, last).unwrap().len();
    let scores = (0..count).map(|place| (place % 7) as i8 - 3).collect();
    Book::of(size, last, scores).unwrap()
}

fn packed(book: &Book) -> Vec<u8> {
    let mut bytes = Vec::new();
    book.write(&mut bytes).unwrap();
    bytes
}

fn error(bytes: &[u8]) -> String {
    Book::read(bytes).unwrap_err().to_string()
}

/// A file with that header and those bytes, packed.
fn file(header: &str, scores: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(header.as_bytes()).and_then(|()| packer.write_all(scores)).unwrap();
    packer.finish().unwrap()
}

#[test]
fn every_board_of_a_ply_is_there_once_up_to_mirror() {
    for ply in 0..=6 {
        let positions = positions(BoardSize::STANDARD, ply).unwrap();
        let all: u64 = positions.iter().map(|position| if position.is_symmetric() { 1 } else { 2 }).sum();
        // Nobody has four with six stones.
        assert_eq!(all, A212693[ply as usize], "ply {ply}");
    }
    let seventh: u64 =
        positions(BoardSize::STANDARD, 7).unwrap().iter().map(|it| 2 - u64::from(it.is_symmetric())).sum();
    assert_eq!(seventh + 728, A212693[7], "728 positions of ply 7 are won (M. Boeck)");
}

#[test]
fn a_position_is_found_in_its_place_and_so_is_its_mirror_image() {
    let book = made_up(BoardSize::STANDARD, 5);
    for ply in 0..=5 {
        for (position, &score) in positions(BoardSize::STANDARD, ply).unwrap().iter().zip(book.scores(ply)) {
            assert_eq!(book.score(position), Some(score.into()), "{position}");
            assert_eq!(book.score(&position.mirror()), Some(score.into()), "{position}");
        }
    }
    let position = |moves: &str| Position::parse(moves).unwrap();
    assert_eq!(book.score(&position("123456")), None, "a stone too many");
    assert_eq!(book.score(&Position::start_on(small())), None, "another board");
    assert_eq!(made_up(BoardSize::STANDARD, 8).score(&position("1212121")), None, "it is over");
}

/// What the plies before the last hold is what a search of these plies finds, where the last ply has the scores of the
/// book.
#[test]
fn scores_follow_by_minimax() {
    fn minimax(book: &Book, position: &Position) -> Score {
        let columns = 0..position.size().width();
        let children = columns.filter_map(|column| {
            let mut child = position.clone();
            child.play(column).ok().map(|()| child)
        });
        let worth = |child: Position| match book.score(&child) {
            _ if child.is_won() => child.size().win_at(position.ply()),
            Some(score) if child.ply() == book.last_ply() => -score,
            _ => -minimax(book, &child),
        };
        children.map(worth).max().unwrap()
    }
    let book = made_up(small(), 4);
    for ply in 0..4 {
        for position in positions(small(), ply).unwrap() {
            assert_eq!(book.score(&position), Some(minimax(&book, &position)), "{position}");
        }
    }
}

#[test]
fn a_file_is_read_as_it_was_written() {
    for book in [made_up(BoardSize::STANDARD, 0), made_up(BoardSize::STANDARD, 5), made_up(small(), 3)] {
        let read = Book::read(&*packed(&book)).unwrap();
        assert_eq!((read.size(), &read.scores), (book.size(), &book.scores));
        let last = book.last_ply();
        assert_eq!(read.up_to(last / 2).unwrap().scores, book.scores[..=last as usize / 2]);
        assert_eq!(
            read.up_to(last + 1).unwrap_err().to_string(),
            format!("the book ends with ply {last}, not {}", last + 1)
        );
    }
}

#[test]
fn a_file_that_is_cut_off_or_damaged_is_refused() {
    let bytes = packed(&made_up(small(), 3));
    for end in 0..bytes.len() {
        assert_eq!(error(&bytes[..end]), "the book is cut off", "{end} of {}", bytes.len());
    }
    // The ten bytes of a gzip header say when and where it was made, not what.
    for place in 10..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        assert!(Book::read(&*damaged).is_err(), "byte {place} of {}", bytes.len());
    }
}

#[test]
fn what_is_no_book_is_refused_with_its_reason() {
    assert_eq!(error(b"hello, this is no book"), "not a book: not packed as gzip");
    assert_eq!(error(&file("hello\n", b"")), "not a book: no \"c4lab-book\" at its begin, line 1");
    assert_eq!(error(&file("c4lab-book 2 7x6 1\n", b"\x01")), "a book of version 2; this c4lab reads version 1");
    assert_eq!(error(&file("c4lab-book x 7x6 1\n", b"\x01")), "not a book: the version is not a number, line 1");
    assert_eq!(
        error(&file("c4lab-book 1 7x6 1,x\n", b"\x01")),
        "not a book: a number of boards is not a number, line 1"
    );
    assert_eq!(error(&file("c4lab-book 1 7x6\n", b"\x01")), "not a book: no number of boards, line 1");
    assert_eq!(error(&file("c4lab-book 1 7x6 1 1\n", b"\x01")), "not a book: more than it should have, line 1");
    assert_eq!(error(&file("c4lab-book 1 5x3 1\n", b"\x01")), "a book of 5x3: no search was built for that board");
    assert!(error(&file("c4lab-book 1 0x4 1\n", b"\x01")).contains("at least one"));
    assert_eq!(error(&file("c4lab-book 1 7x6 1\n", b"")), "ply 0 has 0 scores, and there are 1 boards");
    assert_eq!(error(&file("c4lab-book 1 7x6 1\n", b"\x01\x01")), "not a book: bytes behind the last score");
    assert_eq!(error(&file("c4lab-book 1 7x6 2\n", b"\x01\x01")), "ply 0 has 2 scores, and there are 1 boards");
    assert_eq!(error(&file("c4lab-book 1 7x6 1\n", b"\x63")), "no board of ply 0 has the score 99");
    assert_eq!(
        error(&file("c4lab-book 1 7x6 1,4\n", b"\x01\x00\x00\x00\x00")),
        "the scores of ply 0 do not follow from those of ply 1"
    );
    // As many plies as the board has: nobody lists their boards.
    let plies = file(&format!("c4lab-book 1 7x6 {}\n", ["1"; 42].join(",")), &[1; 42]);
    assert_eq!(error(&plies), "ply 1 has 1 scores, and there are 4 boards");
    let most = format!("c4lab-book 1 7x6 {}\n", u64::MAX);
    assert!(
        error(&file(&most, b"\x01")).contains("there are 18446744073709551615 boards"),
        "and no memory was asked for"
    );
}

/// The scores of the first moves are those that everybody knows (J. Tromp): the book that ships is none that was made up.
#[test]
fn the_shipped_book_is_whole() {
    let book = Book::shipped(BoardSize::STANDARD).unwrap();
    book.check().unwrap();
    let score = |moves: &str| book.score(&Position::parse(moves).unwrap());
    assert_eq!(score(""), Some(1));
    assert!(Book::shipped(small()).is_none());
}

#[test]
fn a_board_of_more_than_64_bits_has_no_book() {
    let board: BoardSize = "8x8".parse().unwrap();
    let refused = [Book::of(board, 0, vec![0]).map(drop), positions(board, 1).map(drop)];
    for refused in refused.map(Result::unwrap_err) {
        assert_eq!(refused.to_string(), "books are for boards of up to 64 bits; 8x8 has 72");
    }
}
