package sensing

// Costs are negative log-likelihoods in milli-nats: 1000 makes an explanation e times less likely, 700 halves it. Rates and
// caps price waiting: rate milli-nats a second, at most cap. One table for all boards: what a board cannot see never
// produces the evidence that a line here prices.
const (
	// Taking up.
	costSecondOwn  = 2000 // a second man of the side to move while the first is still in the air
	costCastlePair = 500  // … but king and rook that may castle
	costVictim     = 700  // an enemy man that somebody may take
	costLastMoved  = 1500 // the man that has just moved: centred, slid on, or taken back
	costNextBack   = 700  // … after one has been taken back: the next one to go back
	costSlidOn     = 3000 // … so soon that it was not a ply yet
	soonMs         = 250
	gripMs         = 60   // no hand lets go and takes hold again within
	costSoonVictim = 10   // … or is taken already: for each millisecond that is left of soonMs
	costBystander  = 2500 // any other man: a reply begun early, a nudge, a fall
	costOverdue    = 1000 // … while a man of the side to move has been in the air so long that its ply must be done
	overdueMs      = 1500
	costAbandoned  = 2500 // a man that was left on a wrong square while others moved
	costExchange   = 300  // the man on the promotion square
	costNothing    = 4000 // a square goes empty that held nothing
	costQuickOther = 1500 // lifted within handMs of a place elsewhere, by the other colour
	costQuickSame  = 4000 // … by the same: one hand cannot do it
	handMs         = 80
	costHaste      = 1000 // a player's next man so soon after his last ply that no answer can have been seen
	hasteMs        = 90

	// Setting down.
	costAdjust     = 3900 // lift and put back together: an adjustment, a man touched first, a victim left alone
	costSecondMind = 3500 // … after it had been set down elsewhere
	costHomeAgain  = 300  // a man that was displaced, or is an adjusted one's least price, comes home
	costCorrected  = 1200 // a man that has just moved goes where it could have gone
	costElsewhere  = 3500 // on a square where it may not go
	costDetour     = 2500 // where it may go, but by way of a square that is not on the line there
	costLifted     = 100  // … or from a square on that line where it had rested, and in the air longer than sliding takes
	liftedMs       = 70
	slowLookMs     = 10   // … less on boards that know their men and look more seldom
	costForeign    = 2500 // where it promotes, but a man of the other colour was put there for it
	costHasty      = 2300 // not yet its turn: the reply to a ply that may not be done
	costStride     = 2000 // … where it could go by its manner, while the opponent has not set his man down
	costReturn     = 1000 // a captured man comes back where it was taken
	costStray      = 2500 // … or anywhere else
	costLateLift   = 3000 // the man was never seen to leave: its square is owed
	costLateScan   = 400  // … on a board whose scan has no order
	costGhost      = 5000 // a square fills by nobody
	costAskew      = 2500 // … beside a man just set down, which looks like that
	askewMs        = 200
	costMasked     = 3000 // a promoted man is not what stands on its square
	costWeak       = 700  // an excursion too short to settle meant something
	costIgnored    = 2000 // … or nothing, though a board that knows its men has seen one

	// Plies.
	costPly            = 300  // a ply is complete
	costOnward         = 4500 // … by the man of the ply before, straight on and as quick as only a slide is
	costOnwardMs       = 180  // … at most this for each millisecond that lacks to liftedMs
	onwardMs           = 300  // … when so little time is between the two
	costNotYet         = 1500 // a ply could be complete, but the hand is not done: once a carry, however many squares it slides over
	costDebt           = 500  // … but rook or victim is still to be dealt with
	costBusy           = 2500 // … with another man of its side in the air
	costEarly          = 4000 // … whose man was set down before the ply that it answers was complete
	sameMomentMs       = 30
	costDebtSkip       = 3000 // … and the opponent completes a ply before it is
	costUnexchanged    = 3000 // … or has been seen as the new piece, on a board that would see it
	costSilent         = 5000 // a capture whose victim was never seen to leave
	silentAfterMs      = 80   // … by a man so long in the air
	costShadow         = 3000 // a ply that was answered by a capture before it was ever seen
	costTakenElsewhere = 2500 // a man is taken off another square than the one on which he was captured
	costRetract        = 4500 // a ply is taken back
	costRetractMore    = 1500 // … after another one
	costRepromote      = 3500 // a promoted man moves as only another piece can
	costRevise         = 3000 // a ply becomes another one
	costJump           = 7500 // the picture is an earlier position, however it came about
	costJumpPly        = 600  // … for each ply since: after men have gone to and fro, one on a wrong square may show such a position
	costJumpPlies      = 2400 // … at most
	costKings          = 1000 // both kings in the centre: they tell the result
	kingsWithinMs      = 5000 // a king's move so shortly before was the way there

	// Waiting.
	rateIdle, capIdle           = 2500, 7000 // a ply could be complete but is not: a slide rarely rests
	rateCarry, capCarry         = 400, 2500  // a man in the air
	rateDisplaced, capDisplaced = 6000, 9000 // a man on a wrong square, or missing
	rateGhost, capGhost         = 6000, 9000 // a square that holds nobody's man
	rateOwed, capOwed           = 10000, 14000
	rateDebt, capDebt           = 300, 1500

	// Verdicts.
	firmMargin     = 3000 // a ply is firm when every line without it is this much less likely
	coveredMargin  = 1500 // … when the opponent has completed a ply on top
	rejoinedMargin = 500  // … when both lines have come to the same again
	limboMs        = 5000 // after such a rest what is not in doubt is firm
	settledPlies   = 7    // … and after so many plies the likeliest line is taken
	withdrawMargin = 4500 // … and what was told is withdrawn when every line with it is this much less likely
	doubtMargin    = 2000 // lines closer than this after a rest are told apart by nobody
	doubtSlack     = 500  // … and until they are further apart by this they stay in doubt
	doubtAfterMs   = 1500
	maxCandidates  = 6
	maxMissed      = 12   // … where nobody watched
	missedAfterMs  = 3000 // a man so long in the air may have taken another of which nothing was seen
	maxMargin      = 20000

	// The beam.
	beamWidth  = 64
	beamWindow = 10000
	maxSpare   = 1024 // explanations kept for new use
	sweepEvery = 256  // changes
	mergePlies = 5    // lines that parted longer ago and have met again are one: the likelier
	maxCatchUp = 3    // plies that one change may complete

	// Set-up: so many squares against the best explanation, for so long, and play has stopped.
	lostSquares   = 8
	lostAfterMs   = 6000
	lostAtOnce    = 14
	holdBounceMs  = 60 // a bouncing square holds others back at most so long
	memoryOfPlies = 20 // earlier positions that are recognised from the picture alone
)
