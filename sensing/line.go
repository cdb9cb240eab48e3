package sensing

import (
	"slices"

	"github.com/boardd/boardd/rules"
)

// manID names one physical man for the whole game, whatever it is promoted to.
type manID uint8

const (
	usualMoves = 48 // legal in most positions

	maxMen = 64
	noMan  = manID(255)
)

// Where a man is when it is on no square.
const (
	inHand   rules.Square = 65
	offBoard rules.Square = 66
)

// node is the end of one line of plies. Nodes of equal lines are the same node; which man stands where by the laws follows
// from the line alone.
type node struct {
	parent *node
	move   rules.Move
	depth  int
	pos    rules.Position
	key    uint64 // of pos

	home  [maxMen]rules.Square // where each man belongs; offBoard when captured
	who   [64]manID
	piece [maxMen]rules.Piece

	mover, rook, victim manID  // of move; noMan where there is none
	promoted            uint64 // men that are what they were promoted to
	confirmed           bool   // a person or clock has said that the line is true
	given               bool   // the ply was made elsewhere: see Await
	overlooked          bool   // nobody watched when it was made: see Overlook

	round uint32 // of the last sweep that has found it in use

	moves    []rules.Move // legal moves of pos, when asked for
	listed   bool
	children []*node
}

func newRoot(pos rules.Position) *node {
	n := &node{pos: pos, key: pos.Key(), mover: noMan, rook: noMan, victim: noMan, confirmed: true}
	for m := range n.home {
		n.home[m] = offBoard
	}
	id := manID(0)
	for s := range n.who {
		n.who[s] = noMan
		if p := pos.At(rules.Square(s)); p != rules.NoPiece {
			n.who[s], n.home[id], n.piece[id] = id, rules.Square(s), p
			id++
		}
	}
	return n
}

// legal lists the legal moves of the node's position.
func (n *node) legal() []rules.Move {
	if !n.listed {
		n.moves, n.listed = n.pos.LegalMoves(make([]rules.Move, 0, usualMoves)), true
	}
	return n.moves
}

// child is the line with one ply more; m is legal in n.
func (n *node) child(m rules.Move) *node {
	if c := n.known(m); c != nil {
		return c
	}
	c := &node{parent: n, move: m, depth: n.depth + 1, pos: n.pos.After(m), home: n.home, who: n.who, piece: n.piece, promoted: n.promoted,
		mover: n.who[m.From()], rook: noMan, victim: noMan}
	c.who[m.From()] = noMan
	if m.IsCastling() {
		king, rook := m.Castling()
		c.rook = c.who[m.To()]
		c.who[m.To()] = noMan
		c.who[king], c.home[c.mover] = c.mover, king
		c.who[rook], c.home[c.rook] = c.rook, rook
	} else {
		if v := n.who[m.Victim()]; v != noMan {
			c.victim, c.home[v], c.who[m.Victim()] = v, offBoard, noMan
		}
		c.who[m.To()], c.home[c.mover] = c.mover, m.To()
		if m.Promotion() != rules.NoRole {
			c.piece[c.mover] = rules.NewPiece(n.pos.Turn(), m.Promotion())
			c.promoted |= 1 << c.mover
		}
	}
	c.key = c.pos.Key()
	n.children = append(n.children, c)
	return c
}

// known is child where that has been made already, nil where not.
func (n *node) known(m rules.Move) *node {
	for _, c := range n.children {
		if c.move == m {
			return c
		}
	}
	return nil
}

// ancestor is the line's beginning of the given length.
func (n *node) ancestor(depth int) *node {
	for n.depth > depth {
		n = n.parent
	}
	return n
}

// extends reports whether a is a beginning of n's line.
func (n *node) extends(a *node) bool { return n.depth >= a.depth && n.ancestor(a.depth) == a }

// common is the longest line that a and b both begin with.
func common(a, b *node) *node {
	for a != b {
		if a.depth >= b.depth {
			a = a.parent
		} else {
			b = b.parent
		}
	}
	return a
}

// repromote is n's line with the piece to which man m was promoted replaced, nil where a later ply would be illegal then.
func (n *node) repromote(m manID, to rules.Role) *node {
	if n.parent == nil {
		return nil
	}
	if n.mover == m && n.move.Promotion() != rules.NoRole {
		if n.given {
			return nil
		}
		for _, mv := range n.parent.legal() {
			if mv.From() == n.move.From() && mv.To() == n.move.To() && mv.Promotion() == to {
				return n.parent.child(mv)
			}
		}
		return nil
	}
	p := n.parent.repromote(m, to)
	if p == nil || !p.pos.IsLegal(n.move) {
		return nil
	}
	return p.child(n.move)
}

// meets reports that two lines have come to the same position and parted so many plies ago that nothing will tell them apart; of
// the first plies it counts none.
func (n *node) meets(o *node, from int) bool {
	if n.key != o.key || n.depth < mergePlies || o.depth < mergePlies {
		return false
	}
	c := max(common(n, o).depth, from)
	return n.depth-c >= mergePlies && o.depth-c >= mergePlies
}

// line is the plies that lead to n.
func (n *node) line() []rules.Move {
	moves := make([]rules.Move, n.depth)
	for ; n.depth > 0; n = n.parent {
		moves[n.depth-1] = n.move
	}
	return moves
}

// follow walks moves from n as far as they are legal.
func (n *node) follow(moves []rules.Move) *node {
	for _, m := range moves {
		if n.known(m) == nil && !n.pos.IsLegal(m) {
			break
		}
		n = n.child(m)
	}
	return n
}

// mark says that an explanation holds n's line.
func (n *node) mark(round uint32) {
	for ; n != nil && n.round != round; n = n.parent {
		n.round = round
	}
}

// sweep forgets the branches beyond n that were not marked.
func (n *node) sweep(round uint32) {
	for len(n.children) > 0 {
		n.children = slices.DeleteFunc(n.children, func(c *node) bool { return c.round != round })
		if len(n.children) != 1 {
			for _, c := range n.children {
				c.sweep(round)
			}
			return
		}
		n = n.children[0]
	}
}
