package chesslink

import "github.com/boardd/boardd/rules"

// SquareOf gives the square of the i-th character of a status, 0 to 63, as wired with the cable on White's left: a8 to h8
// first, h1 last (protocols/chesslink.md section 4). With the cable on the right the same characters mean the board turned
// by 180 degrees.
func SquareOf(i int) rules.Square { return rules.NewSquare(i&7, 7-i>>3) }

// lights is how many lights there are: 9 by 9, at the corners of the squares.
const lights = 81

// CornersOf gives the four lights at the corners of a square, from 0, as wired with the cable on White's left: they are
// counted along the files, from the outer corner of a8 (section 5). Neighbours share them.
func CornersOf(s rules.Square) [4]int {
	i := s.File()*9 + 7 - s.Rank()
	return [4]int{i, i + 1, i + 9, i + 10}
}
