package laws

import (
	"golang.org/x/text/language"

	"github.com/boardd/boardd/rules"
)

// Forms of a piece: acc; of a side: gen, dat. {n?ход|хода|ходов} chooses by number.
var russian = Language{
	tag: language.Russian, comma: ", ", pause: "; ", and: " и ", or: " или ",
	man: func(m man, form string) (string, bool) {
		i, ok := map[string]int{"": 0, "acc": 1}[form]
		name := russianMen[m.role][i]
		if m.colored {
			name = russianColors[m.color&1][russianGender(m.role)][i] + " " + name
		}
		return name, ok
	},
	side: func(c rules.Color, form string) (string, bool) {
		i, ok := map[string]int{"": 0, "gen": 1, "dat": 2}[form]
		return [2][3]string{{"белые", "белых", "белым"}, {"чёрные", "чёрных", "чёрным"}}[c&1][i], ok
	},
	plural: russianPlural,
	say: map[string]string{
		"reason.empty_square":                       "на {squares} нет фигуры, которой можно ходить",
		"reason.no_such_piece":                      "такой фигуры для этого хода нет",
		"reason.no_movement":                        "фигура остаётся на месте",
		"reason.not_your_turn":                      "фигура на {squares} принадлежит стороне, которая сейчас не ходит",
		"reason.own_piece_there":                    "поле {squares} занято фигурой того же цвета",
		"reason.captures_king":                      "короля не берут никогда",
		"reason.bishop_moves_diagonally":            "слон ходит по диагоналям",
		"reason.rook_moves_straight":                "ладья ходит по вертикалям и горизонталям",
		"reason.queen_moves_straight_or_diagonally": "ферзь ходит по вертикалям, горизонталям и диагоналям",
		"reason.knight_moves_in_an_l":               "конь ходит на два поля по прямой и на одно в сторону",
		"reason.king_moves_one_square":              "король ходит на соседнее поле",
		"reason.path_blocked":                       "путь закрыт на {squares}",
		"reason.pawn_moves_forward":                 "пешка ходит прямо вперёд: на одно поле, а с исходного и на два",
		"reason.pawn_blocked":                       "путь пешке закрыт на {squares}",
		"reason.pawn_double_step":                   "на два поля пешка ходит только со своей второй горизонтали",
		"reason.pawn_captures_nothing":              "на {squares} нечего брать",
		"reason.en_passant_no_double_step":          "пешка на {squares} пришла туда не ходом на два поля, поэтому взять её на проходе нельзя",
		"reason.en_passant_too_late":                "пешку на {squares} можно было взять на проходе только сразу следующим ходом",
		"reason.promotion_missing":                  "пешка на {squares} тем же ходом превращается в ферзя, ладью, слона или коня",
		"reason.promotion_piece_impossible":         "пешка превращается только в ферзя, ладью, слона или коня",
		"reason.no_promotion_here":                  "превращается только пешка, дошедшая до последней горизонтали",
		"reason.castling_along_first_rank":          "при рокировке король идёт по своей первой горизонтали на два поля к ладье",
		"reason.castling_right_lost":                "право на рокировку потеряно: король или эта ладья уже ходили",
		"reason.castling_king_moved":                "право на рокировку потеряно: король уже ходил",
		"reason.castling_rook_moved":                "право на рокировку с этой ладьёй потеряно: она уже ходила",
		"reason.castling_rook_taken":                "право на рокировку с этой ладьёй потеряно: её взяли",
		"reason.castling_rook_missing":              "нет ладьи для рокировки",
		"reason.castling_out_of_check":              "под шахом рокировать нельзя{attack}",
		"reason.castling_through_attack":            "рокировка через атакованное поле невозможна{attack}",
		"reason.castling_into_attack":               "рокировка на атакованное поле невозможна{attack}",
		"reason.castling_blocked":                   "поля между королём и ладьёй должны быть свободны; {squares?занято|заняты} {squares}",
		"reason.king_into_attack":                   "король не может пойти на атакованное поле{attack}",
		"reason.leaves_king_in_check":               "король остался бы под шахом{attack}",
		"reason.exposes_king":                       "король оказался бы под шахом{attack}",
		"reason.game_over":                          "партия окончена",
		"reason.other":                              "правила этого не позволяют",
		"cause.attack":                              " ({men?атакует|атакуют|атакуют}: {men})",
		"verdict.legal":                             "{move}: ход возможен ({san})",
		"verdict.claim":                             "с ним можно потребовать ничью: {why}",
		"verdict.illegal":                           "{move}: ход невозможен по статье {article}: {why}",
		"verdict.also":                              "а также {causes}",
		"verdict.ways":                              "от шаха можно защититься: {ways}",
		"way.move":                                  "уйти королём",
		"way.capture":                               "взять атакующую фигуру",
		"way.interpose":                             "закрыться фигурой",

		"fault.kings":             "у каждой стороны должен быть ровно один король",
		"fault.pawn-rank":         "пешка стоит на первой или последней горизонтали",
		"fault.too-many-pawns":    "у одной стороны больше восьми пешек",
		"fault.too-many-pieces":   "у одной стороны больше шестнадцати фигур",
		"fault.too-much-material": "у одной стороны превращённых фигур больше, чем недостаёт пешек",
		"fault.opposite-check":    "под шахом сторона, которая сейчас не ходит",
		"fault.too-many-checkers": "шах дают больше двух фигур",
		"fault.impossible-check":  "никакой последний ход не мог дать такой шах",
		"fault.castling-rights":   "указаны права на рокировку, а король или ладья не на своём месте",
		"fault.ep-square":         "никакая пешка не могла только что пересечь поле взятия на проходе",
		"fault.unreachable":       "из начальной позиции сюда не ведёт никакая последовательность ходов",
		"fault.other":             "позиция невозможна",

		"way":             "с {from} на {to}",
		"move":            "{piece} с {from} на {to}",
		"move.kingside":   "короткая рокировка",
		"move.queenside":  "длинная рокировка",
		"move.captures":   "берёт {piece:acc}",
		"move.en_passant": "берёт {piece:acc} на проходе",
		"move.becomes":    "превращается в {piece:acc}",
		"move.check":      "шах",
		"move.mate":       "мат",
		"move.by":         "{side}: {move}",

		"result.1-0":      "белые выиграли",
		"result.0-1":      "чёрные выиграли",
		"result.1/2-1/2":  "ничья",
		"result.other":    "без результата",
		"end":             "{result}: {why}",
		"end.checkmate":   "мат",
		"end.stalemate":   "пат",
		"end.dead":        "ни одна из сторон не может дать мат",
		"end.fivefold":    "та же позиция в пятый раз",
		"end.75moves":     "75 ходов без взятий и ходов пешками",
		"end.threefold":   "та же позиция в третий раз",
		"end.fifty":       "пятьдесят ходов без взятий и ходов пешками",
		"end.agreement":   "по соглашению",
		"end.resign":      "соперник сдался",
		"end.resign_draw": "одна сторона сдалась, но другая не может дать мат",
		"end.flag":        "падение флажка",
		"end.flag_draw":   "флажок упал, но соперник не может дать мат",
		"end.arbiter":     "по решению судьи",
		"end.kings":       "короли в центре",
		"end.forfeit":     "неявка",
		"end.abandoned":   "партия прервана",
		"end.other":       "партия окончена",
		"claim.threefold": "та же позиция в третий раз",
		"claim.fifty":     "пятьдесят ходов без взятий и ходов пешками",

		"position.illegal":        "позиция невозможна: {why} ({article})",
		"position.checkers":       "шах с {squares}",
		"position.count":          "эта позиция возникала {n} {n?раз|раза|раз}",
		"position.can_mate":       "{side} могут дать мат",
		"position.cannot_mate":    "{side} не могут дать мат",
		"position.mate_unsettled": "не выяснено, могут ли {side} дать мат",
		"position.stuck":          "возможных ходов нет",
		"position.moves":          "{n} {n?возможный ход|возможных хода|возможных ходов}: {moves}",

		"turn":                   "ход {side:gen}",
		"turn.check":             "ход {side:gen}, король под шахом",
		"check":                  "{side} объявляют шах",
		"draw_offer":             "{side} предлагают ничью",
		"draw_declined":          "{side} отклоняют ничью",
		"draw_declined.move":     "{side} отклоняют ничью своим ходом",
		"draw_claimable":         "можно потребовать ничью: {why}",
		"flag_fallen":            "упал флажок {side:gen}",
		"result_proposed":        "короли в центре означают: {result}",
		"illegal":                "{side:dat} нельзя ходить {way}: {why}, статья {article}",
		"illegal_standing.clock": "{side} сделали невозможный ход {way} и нажали на часы",
		"illegal_standing.reply": "{side} сделали невозможный ход {way}, и на него ответили {reply}",
		"king_captured":          "{side} взяли короля на {square}, чего правила не позволяют",
		"touch_move.move":        "тронул — ходи: фигура на {square} должна ходить",
		"touch_move.take":        "тронул — ходи: фигуру на {square} нужно взять",
		"touch_move.both":        "тронул — ходи: фигура на {square} должна взять фигуру на {square2}",
		"touch_move.free":        "тронул — ходи: у фигуры на {square} нет ходов, можно ходить любой другой",
		"takeback":               "взяты назад: {moves}",
		"takeback.many":          "{n?взят|взято|взято} назад {n} {n?полуход|полухода|полуходов}",
		"takeback.corrected":     "то, что казалось ходом {moves}, оказалось другим",
		"doubt":                  "неясно, какой ход сделан",
		"doubt.ways":             "неясно, какой ход сделан: {ways}?",
		"doubt.orientation":      "как повёрнута доска?",
		"doubt.setup":            "начинается ли партия с позиции на доске?",
		"resolved":               "теперь ясно: {moves}",
		"resolved.nothing":       "теперь ясно",
		"promotion.ask":          "пешка на {square}: превратить в {pieces:acc}?",
		"wait.promotion":         "ожидается выбор фигуры на {squares}",
		"wait.remote":            "нужно выполнить на доске ход с {from} на {to}",
		"wait.rook":              "рокировка: ладья идёт с {from} на {to}",
		"wait.victim":            "взятую пешку нужно снять с {squares}",
		"wait.doubt":             "неясно, какой ход сделан",
		"wait.start":             "ожидается начальная позиция",

		"game_start":             "начинается партия",
		"game_start.other":       "начинается партия не из обычной начальной позиции",
		"game_start.moves":       "уже {n?сделан|сделано|сделано} {n} {n?полуход|полухода|полуходов}",
		"setup.position":         "ожидается позиция {fen}",
		"setup.refused":          "без повторного подтверждения партия отсюда не начнётся: {why}",
		"desync":                 "фигуры стоят не так, как в партии",
		"desync.missing":         "отсутствует: {men}",
		"desync.extra":           "лишнее: {men}",
		"men":                    "{n} {n?фигура|фигуры|фигур}",
		"man.on":                 "{man} на {square}",
		"something":              "что-то",
		"something.white":        "что-то белое",
		"something.black":        "что-то чёрное",
		"resync":                 "фигуры снова стоят так, как в партии",
		"board_online":           "доска подключена",
		"board_offline":          "доска не подключена",
		"low_battery.clock":      "батарея часов разряжена",
		"low_battery.other":      "батарея разряжена",
		"weak_square.flicker":    "датчик поля {square} мерцает",
		"weak_square.stuck":      "датчик поля {square} не меняется",
		"weak_square.never_seen": "фигуру на {square} не видно: сдвиньте её немного",
		"weak_square.other":      "датчику поля {square} нельзя доверять",
		"command":                "команда: {verb}",
		"command.by":             "команда от {by}: {verb}",
	},
}

// russianMen are the pieces in the nominative and the accusative. All are animate: whoever is captured is as in the genitive.
var russianMen = [...][2]string{
	rules.Pawn: {"пешка", "пешку"}, rules.Knight: {"конь", "коня"}, rules.Bishop: {"слон", "слона"},
	rules.Rook: {"ладья", "ладью"}, rules.Queen: {"ферзь", "ферзя"}, rules.King: {"король", "короля"},
}

// russianColors are the adjectives by colour, gender and case.
var russianColors = [2][2][2]string{
	{{"белый", "белого"}, {"белая", "белую"}},
	{{"чёрный", "чёрного"}, {"чёрная", "чёрную"}},
}

// russianGender is 1 for the pieces that are feminine.
func russianGender(r rules.Role) int {
	if r == rules.Pawn || r == rules.Rook {
		return 1
	}
	return 0
}

// russianPlural: один полуход, два полухода, пять полуходов; 21 goes with 1, but 11 to 14 with 5.
func russianPlural(n int) int {
	switch ten, hundred := n%10, n%100; {
	case ten == 1 && hundred != 11:
		return 0
	case ten >= 2 && ten <= 4 && (hundred < 12 || hundred > 14):
		return 1
	}
	return 2
}
