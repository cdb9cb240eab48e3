package laws

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/language"

	"github.com/boardd/boardd/rules"
)

// Forms: the particles 이 을 은 으로, of everything: which of the two shapes a particle has depends on the sound on which the
// word before it ends, also where that is a letter or a digit.
var korean = Language{
	tag: language.Korean, comma: ", ", pause: "; ", and: ", ", or: " 또는 ",
	man: func(m man, _ string) (string, bool) {
		if m.colored {
			return koreanColors[m.color&1] + " " + koreanMen[m.role], true
		}
		return koreanMen[m.role], true
	},
	side:   func(c rules.Color, _ string) (string, bool) { return koreanColors[c&1], true },
	attach: particle,
	plural: always,
	say: map[string]string{
		"reason.empty_square":                       "{squares}에는 움직일 기물이 없습니다",
		"reason.no_such_piece":                      "그렇게 움직일 기물이 없습니다",
		"reason.no_movement":                        "기물이 제자리에 있습니다",
		"reason.not_your_turn":                      "{squares}의 기물은 둘 차례가 아닌 쪽의 것입니다",
		"reason.own_piece_there":                    "{squares}에 같은 색 기물이 있습니다",
		"reason.captures_king":                      "킹은 잡을 수 없습니다",
		"reason.bishop_moves_diagonally":            "비숍은 대각선으로 움직입니다",
		"reason.rook_moves_straight":                "룩은 가로와 세로로 움직입니다",
		"reason.queen_moves_straight_or_diagonally": "퀸은 가로, 세로, 대각선으로 움직입니다",
		"reason.knight_moves_in_an_l":               "나이트는 곧게 두 칸 간 뒤 옆으로 한 칸 움직입니다",
		"reason.king_moves_one_square":              "킹은 이웃한 칸으로 움직입니다",
		"reason.path_blocked":                       "가는 길에서 {squares:이} 막혀 있습니다",
		"reason.pawn_moves_forward":                 "폰은 앞으로 곧게 한 칸, 처음 자리에서는 두 칸까지 움직입니다",
		"reason.pawn_blocked":                       "폰 앞의 {squares:이} 막혀 있습니다",
		"reason.pawn_double_step":                   "폰은 자기 둘째 랭크에서만 두 칸을 움직입니다",
		"reason.pawn_captures_nothing":              "{squares}에는 잡을 기물이 없습니다",
		"reason.en_passant_no_double_step":          "{squares}의 폰은 두 칸을 움직여 온 것이 아니어서 앙파상으로 잡을 수 없습니다",
		"reason.en_passant_too_late":                "{squares}의 폰은 바로 다음 수에만 앙파상으로 잡을 수 있었습니다",
		"reason.promotion_missing":                  "{squares}에 이른 폰은 같은 수에서 퀸, 룩, 비숍, 나이트 중 하나로 바꿉니다",
		"reason.promotion_piece_impossible":         "폰은 퀸, 룩, 비숍, 나이트로만 바꿀 수 있습니다",
		"reason.no_promotion_here":                  "마지막 랭크에 이른 폰만 프로모션합니다",
		"reason.castling_along_first_rank":          "캐슬링에서 킹은 자기 첫째 랭크를 따라 룩 쪽으로 두 칸 움직입니다",
		"reason.castling_right_lost":                "캐슬링 권리가 없습니다: 킹이나 그 룩이 이미 움직였습니다",
		"reason.castling_king_moved":                "캐슬링 권리가 없습니다: 킹이 이미 움직였습니다",
		"reason.castling_rook_moved":                "그 룩과의 캐슬링 권리가 없습니다: 룩이 이미 움직였습니다",
		"reason.castling_rook_taken":                "그 룩과의 캐슬링 권리가 없습니다: 룩이 잡혔습니다",
		"reason.castling_rook_missing":              "캐슬링할 룩이 없습니다",
		"reason.castling_out_of_check":              "체크 상태에서는 캐슬링할 수 없습니다{attack}",
		"reason.castling_through_attack":            "공격받는 칸을 지나 캐슬링할 수 없습니다{attack}",
		"reason.castling_into_attack":               "공격받는 칸으로 캐슬링할 수 없습니다{attack}",
		"reason.castling_blocked":                   "킹과 룩 사이는 비어 있어야 합니다. 비어 있지 않은 칸: {squares}",
		"reason.king_into_attack":                   "킹은 공격받는 칸으로 갈 수 없습니다{attack}",
		"reason.leaves_king_in_check":               "킹이 계속 체크 상태에 있게 됩니다{attack}",
		"reason.exposes_king":                       "킹이 체크 상태에 놓이게 됩니다{attack}",
		"reason.game_over":                          "대국이 끝났습니다",
		"reason.other":                              "규칙에 어긋납니다",
		"cause.attack":                              " (공격: {men})",
		"verdict.legal":                             "{move}: 둘 수 있는 수 ({san})",
		"verdict.claim":                             "이 수로 무승부를 청구할 수 있습니다: {why}",
		"verdict.illegal":                           "{move}: 조항 {article}에 따라 반칙수: {why}",
		"verdict.also":                              "그리고 {causes}",
		"verdict.ways":                              "체크에서 벗어나는 방법: {ways}",
		"way.move":                                  "킹 움직이기",
		"way.capture":                               "체크하는 기물 잡기",
		"way.interpose":                             "사이에 기물 놓기",

		"fault.kings":             "양쪽에 킹이 정확히 하나씩 있어야 합니다",
		"fault.pawn-rank":         "첫째 또는 마지막 랭크에 폰이 있습니다",
		"fault.too-many-pawns":    "한쪽의 폰이 여덟 개보다 많습니다",
		"fault.too-many-pieces":   "한쪽의 기물이 열여섯 개보다 많습니다",
		"fault.too-much-material": "한쪽의 프로모션한 기물이 없어진 폰보다 많습니다",
		"fault.opposite-check":    "둘 차례가 아닌 쪽이 체크 상태입니다",
		"fault.too-many-checkers": "기물이 셋 이상 체크하고 있습니다",
		"fault.impossible-check":  "어떤 마지막 수로도 이런 체크가 될 수 없습니다",
		"fault.castling-rights":   "캐슬링 권리가 적혀 있지만 킹이나 룩이 제자리에 없습니다",
		"fault.ep-square":         "방금 앙파상 칸을 지났을 수 있는 폰이 없습니다",
		"fault.unreachable":       "처음 위치에서 어떤 수순으로도 이 위치에 이를 수 없습니다",
		"fault.other":             "있을 수 없는 위치입니다",

		"way":             "{from}에서 {to:으로}",
		"move":            "{piece:이} {from}에서 {to:으로}",
		"move.kingside":   "킹사이드 캐슬링",
		"move.queenside":  "퀸사이드 캐슬링",
		"move.captures":   "{piece:을} 잡음",
		"move.en_passant": "{piece:을} 앙파상으로 잡음",
		"move.becomes":    "{piece:으로} 프로모션",
		"move.check":      "체크",
		"move.mate":       "체크메이트",
		"move.by":         "{side}: {move}",

		"result.1-0":      "백 승",
		"result.0-1":      "흑 승",
		"result.1/2-1/2":  "무승부",
		"result.other":    "결과 없음",
		"end":             "{result}: {why}",
		"end.checkmate":   "체크메이트",
		"end.stalemate":   "스테일메이트",
		"end.dead":        "어느 쪽도 체크메이트할 수 없음",
		"end.fivefold":    "5회 동형 반복",
		"end.75moves":     "75수 규칙",
		"end.threefold":   "3회 동형 반복",
		"end.fifty":       "50수 규칙",
		"end.agreement":   "합의",
		"end.resign":      "상대의 기권",
		"end.resign_draw": "한쪽이 기권했지만 상대가 체크메이트할 수 없음",
		"end.flag":        "시간 초과",
		"end.flag_draw":   "시간을 초과했지만 상대가 체크메이트할 수 없음",
		"end.arbiter":     "심판의 판정",
		"end.kings":       "중앙에 놓은 킹",
		"end.forfeit":     "몰수승",
		"end.abandoned":   "대국 중단",
		"end.other":       "대국 종료",
		"claim.threefold": "3회 동형 반복",
		"claim.fifty":     "50수 규칙",

		"position.illegal":        "있을 수 없는 위치입니다: {why} ({article})",
		"position.checkers":       "체크하는 기물: {squares}",
		"position.count":          "이 위치가 나온 횟수: {n}",
		"position.can_mate":       "{side:이} 체크메이트할 수 있습니다",
		"position.cannot_mate":    "{side:이} 체크메이트할 수 없습니다",
		"position.mate_unsettled": "{side:이} 체크메이트할 수 있는지 밝혀지지 않았습니다",
		"position.stuck":          "둘 수 있는 수가 없습니다",
		"position.moves":          "둘 수 있는 수 {n}개: {moves}",

		"turn":                   "{side:이} 둘 차례입니다",
		"turn.check":             "{side:이} 둘 차례이고 체크 상태입니다",
		"check":                  "{side:이} 체크합니다",
		"draw_offer":             "{side:이} 무승부를 제안합니다",
		"draw_declined":          "{side:이} 무승부를 거절합니다",
		"draw_declined.move":     "{side:이} 수를 두어 무승부를 거절합니다",
		"draw_claimable":         "무승부를 청구할 수 있습니다: {why}",
		"flag_fallen":            "{side}의 시간이 다 되었습니다",
		"result_proposed":        "중앙에 놓은 킹의 뜻: {result}",
		"illegal":                "{side:은} {way} 둘 수 없습니다: {why}, 조항 {article}",
		"illegal_standing.clock": "{side:이} {way} 반칙수를 두고 시계를 눌렀습니다",
		"illegal_standing.reply": "{side:이} {way} 반칙수를 두었고 상대가 {reply} 응수했습니다",
		"king_captured":          "{side:이} {square}의 킹을 잡았지만 어떤 규칙도 이를 허용하지 않습니다",
		"touch_move.move":        "터치무브: {square}의 기물을 움직여야 합니다",
		"touch_move.take":        "터치무브: {square}의 기물을 잡아야 합니다",
		"touch_move.both":        "터치무브: {square}의 기물로 {square2}의 기물을 잡아야 합니다",
		"touch_move.free":        "터치무브: {square}의 기물은 둘 수 있는 수가 없어 다른 기물을 움직여도 됩니다",
		"takeback":               "무른 수: {moves}",
		"takeback.many":          "반수 {n}개를 물렀습니다",
		"takeback.corrected":     "{moves:으로} 보였지만 다른 수였습니다",
		"doubt":                  "어떤 수를 두었는지 분명하지 않습니다",
		"doubt.ways":             "어떤 수를 두었는지 분명하지 않습니다: {ways}?",
		"doubt.orientation":      "체스판이 어느 방향으로 놓여 있습니까?",
		"doubt.setup":            "체스판의 위치에서 대국을 시작합니까?",
		"resolved":               "이제 분명합니다: {moves}",
		"resolved.nothing":       "이제 분명합니다",
		"promotion.ask":          "폰이 {square}에 이르렀습니다. {pieces} 중 무엇으로 바꿉니까?",
		"wait.promotion":         "{squares}에서 바꿀 기물의 선택을 기다립니다",
		"wait.remote":            "{from}에서 {to:으로} 가는 수를 보드에서 두기를 기다립니다",
		"wait.rook":              "캐슬링: 룩이 {from}에서 {to:으로} 갑니다",
		"wait.victim":            "{squares}에서 잡힌 폰을 치우기를 기다립니다",
		"wait.doubt":             "어느 수를 두었는지 분명하지 않습니다",
		"wait.start":             "처음 위치를 기다립니다",

		"game_start":             "대국을 시작합니다",
		"game_start.other":       "보통과 다른 위치에서 대국을 시작합니다",
		"game_start.moves":       "이미 둔 반수: {n}",
		"setup.position":         "이 위치를 기다립니다: {fen}",
		"setup.refused":          "한 번 더 확인하지 않으면 여기서 대국을 시작하지 않습니다: {why}",
		"desync":                 "기물이 대국과 다르게 놓여 있습니다",
		"desync.missing":         "없는 기물: {men}",
		"desync.extra":           "남는 기물: {men}",
		"men":                    "기물 {n}개",
		"man.on":                 "{square}의 {man}",
		"something":              "무언가",
		"something.white":        "흰 무언가",
		"something.black":        "검은 무언가",
		"resync":                 "기물이 다시 대국과 같게 놓여 있습니다",
		"board_online":           "체스판이 연결되어 있습니다",
		"board_offline":          "체스판이 연결되어 있지 않습니다",
		"low_battery.clock":      "시계의 배터리가 부족합니다",
		"low_battery.other":      "배터리가 부족합니다",
		"weak_square.flicker":    "{square}의 센서가 깜빡입니다",
		"weak_square.stuck":      "{square}의 센서가 변하지 않습니다",
		"weak_square.never_seen": "{square}의 기물이 보이지 않습니다. 조금 움직여 주십시오",
		"weak_square.other":      "{square}의 센서를 믿을 수 없습니다",
		"command":                "명령: {verb}",
		"command.by":             "{by}의 명령: {verb}",
	},
}

var koreanMen = [...]string{
	rules.Pawn: "폰", rules.Knight: "나이트", rules.Bishop: "비숍", rules.Rook: "룩", rules.Queen: "퀸", rules.King: "킹",
}

var koreanColors = [2]string{"백", "흑"}

// particles are the shapes after a consonant and after a vowel.
var particles = map[string][2]string{"이": {"이", "가"}, "을": {"을", "를"}, "은": {"은", "는"}, "으로": {"으로", "로"}}

// particle puts a particle behind a text.
func particle(text, form string) (string, bool) {
	shapes, ok := particles[form]
	end := ending(text)
	if end == vowel || end == liquid && form == "으로" {
		return text + shapes[1], ok
	}
	return text + shapes[0], ok
}

// The sounds that a word may end on, as far as particles go: ㄹ counts as a vowel before 으로.
const (
	vowel = iota
	consonant
	liquid
)

// digitEndings and letterEndings are those of 영 일 이 삼 사 오 육 칠 팔 구 and of the names of the letters from A (에이) to Z.
const (
	digitEndings  = "CLVCVVCLLV" // C consonant, L liquid, V vowel
	letterEndings = "VVVVVVVVVVVLCCVVVLVVVVVVVV"
)

// ending is the sound on which a text ends. Signs at the end, as in Qxf7#, are not spoken.
func ending(text string) int {
	text = strings.TrimRight(text, "+#!?).=-\" ")
	r, _ := utf8.DecodeLastRuneInString(text)
	var class byte = 'V'
	switch {
	case r >= '가' && r <= '힣':
		switch (r - '가') % 28 {
		case 0:
		case 8:
			class = 'L'
		default:
			class = 'C'
		}
	case r >= '0' && r <= '9':
		class = digitEndings[r-'0']
	case r >= 'A' && r <= 'Z':
		class = letterEndings[r-'A']
	case r >= 'a' && r <= 'z':
		class = letterEndings[r-'a']
	}
	return strings.IndexByte("VCL", class)
}
