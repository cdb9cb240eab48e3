package laws

import (
	"golang.org/x/text/language"

	"github.com/boardd/boardd/rules"
)

// Forms of a piece: el (with the definite article), un (with the indefinite one), del (the article after de). A square after del
// is where something comes from.
var spanish = Language{
	tag: language.Spanish, comma: ", ", pause: "; ", and: " y ", or: " o ",
	man: func(m man, form string) (string, bool) {
		name, gender := spanishMen[m.role], spanishGender(m.role)
		if m.colored {
			name += " " + spanishColors[m.color&1][gender]
		}
		if form == "" {
			return name, true
		}
		article, ok := spanishArticles[form]
		return article[gender] + " " + name, ok
	},
	side: func(c rules.Color, form string) (string, bool) {
		return [...]string{"las blancas", "las negras"}[c&1], form == ""
	},
	before: map[string]string{"del": "desde "},
	plural: oneOrMany,
	say: map[string]string{
		"reason.empty_square":                       "no hay ninguna pieza que mover en {squares}",
		"reason.no_such_piece":                      "no hay tal pieza que mover",
		"reason.no_movement":                        "la pieza se queda donde está",
		"reason.not_your_turn":                      "la pieza de {squares} es del bando al que no le toca mover",
		"reason.own_piece_there":                    "la casilla {squares} está ocupada por una pieza del mismo color",
		"reason.captures_king":                      "un rey no se captura nunca",
		"reason.bishop_moves_diagonally":            "el alfil se mueve en diagonal",
		"reason.rook_moves_straight":                "la torre se mueve por filas y columnas",
		"reason.queen_moves_straight_or_diagonally": "la dama se mueve por filas, columnas y diagonales",
		"reason.knight_moves_in_an_l":               "el caballo avanza dos casillas en línea recta y una hacia un lado",
		"reason.king_moves_one_square":              "el rey se mueve a una casilla vecina",
		"reason.path_blocked":                       "el camino está cerrado en {squares}",
		"reason.pawn_moves_forward":                 "el peón avanza en línea recta: una casilla, o dos desde donde empezó",
		"reason.pawn_blocked":                       "el peón tiene el paso cerrado en {squares}",
		"reason.pawn_double_step":                   "el peón solo avanza dos casillas desde su segunda fila",
		"reason.pawn_captures_nothing":              "no hay nada que capturar en {squares}",
		"reason.en_passant_no_double_step":          "el peón de {squares} no llegó allí con un paso doble, así que no se puede capturar al paso",
		"reason.en_passant_too_late":                "el peón de {squares} solo se podía capturar al paso en la jugada siguiente a su avance",
		"reason.promotion_missing":                  "un peón en {squares} se cambia en la misma jugada por dama, torre, alfil o caballo",
		"reason.promotion_piece_impossible":         "un peón se convierte en dama, torre, alfil o caballo y en nada más",
		"reason.no_promotion_here":                  "solo promociona el peón que llega a la última fila",
		"reason.castling_along_first_rank":          "en el enroque el rey avanza por su primera fila dos casillas hacia una torre",
		"reason.castling_right_lost":                "se ha perdido el derecho al enroque: el rey o esa torre ya se ha movido",
		"reason.castling_king_moved":                "se ha perdido el derecho al enroque: el rey ya se ha movido",
		"reason.castling_rook_moved":                "se ha perdido el derecho al enroque con esa torre: ya se ha movido",
		"reason.castling_rook_taken":                "se ha perdido el derecho al enroque con esa torre: fue capturada",
		"reason.castling_rook_missing":              "no hay torre con la que enrocar",
		"reason.castling_out_of_check":              "no se puede enrocar estando en jaque{attack}",
		"reason.castling_through_attack":            "no se puede enrocar cruzando una casilla atacada{attack}",
		"reason.castling_into_attack":               "no se puede enrocar hacia una casilla atacada{attack}",
		"reason.castling_blocked":                   "entre el rey y la torre no puede haber piezas; {squares?está ocupada|están ocupadas} {squares}",
		"reason.king_into_attack":                   "el rey no puede ir adonde está atacado{attack}",
		"reason.leaves_king_in_check":               "el rey seguiría en jaque{attack}",
		"reason.exposes_king":                       "el rey quedaría expuesto al jaque{attack}",
		"reason.game_over":                          "la partida ha terminado",
		"reason.other":                              "las leyes no lo permiten",
		"cause.attack":                              " (ataque {men:del})",
		"verdict.legal":                             "{move}: jugada legal ({san})",
		"verdict.claim":                             "con ella se pueden reclamar tablas: {why}",
		"verdict.illegal":                           "{move}: ilegal según {article}: {why}",
		"verdict.also":                              "además {causes}",
		"verdict.ways":                              "para salir del jaque: {ways}",
		"way.move":                                  "mover el rey",
		"way.capture":                               "capturar la pieza que da jaque",
		"way.interpose":                             "interponer una pieza",

		"fault.kings":             "cada bando debe tener exactamente un rey",
		"fault.pawn-rank":         "hay un peón en la primera o en la última fila",
		"fault.too-many-pawns":    "un bando tiene más de ocho peones",
		"fault.too-many-pieces":   "un bando tiene más de dieciséis piezas",
		"fault.too-much-material": "un bando tiene más piezas promocionadas que peones le faltan",
		"fault.opposite-check":    "está en jaque el bando al que no le toca mover",
		"fault.too-many-checkers": "dan jaque más de dos piezas",
		"fault.impossible-check":  "ninguna última jugada pudo dar este jaque",
		"fault.castling-rights":   "se indican derechos de enroque sin que rey o torre estén en su sitio",
		"fault.ep-square":         "ningún peón puede acabar de cruzar la casilla de la captura al paso",
		"fault.unreachable":       "ninguna serie de jugadas lleva hasta aquí desde la posición inicial",
		"fault.other":             "la posición es ilegal",

		"way":             "de {from} a {to}",
		"move":            "{piece} de {from} a {to}",
		"move.kingside":   "enroque corto",
		"move.queenside":  "enroque largo",
		"move.captures":   "captura {piece:el}",
		"move.en_passant": "captura {piece:el} al paso",
		"move.becomes":    "se convierte en {piece:un}",
		"move.check":      "jaque",
		"move.mate":       "jaque mate",
		"move.by":         "{side}: {move}",

		"result.1-0":      "ganan las blancas",
		"result.0-1":      "ganan las negras",
		"result.1/2-1/2":  "tablas",
		"result.other":    "sin resultado",
		"end":             "{result}: {why}",
		"end.checkmate":   "jaque mate",
		"end.stalemate":   "ahogado",
		"end.dead":        "ningún bando puede dar mate",
		"end.fivefold":    "la misma posición por quinta vez",
		"end.75moves":     "75 jugadas sin captura ni movimiento de peón",
		"end.threefold":   "la misma posición por tercera vez",
		"end.fifty":       "cincuenta jugadas sin captura ni movimiento de peón",
		"end.agreement":   "de común acuerdo",
		"end.resign":      "el otro bando abandona",
		"end.resign_draw": "un bando abandona, pero el otro no puede dar mate",
		"end.flag":        "caída de bandera",
		"end.flag_draw":   "ha caído la bandera, pero el otro bando no puede dar mate",
		"end.arbiter":     "por decisión del árbitro",
		"end.kings":       "por los reyes en el centro",
		"end.forfeit":     "por incomparecencia",
		"end.abandoned":   "la partida queda interrumpida",
		"end.other":       "la partida ha terminado",
		"claim.threefold": "la misma posición por tercera vez",
		"claim.fifty":     "cincuenta jugadas sin captura ni movimiento de peón",

		"position.illegal":        "la posición es ilegal: {why} ({article})",
		"position.checkers":       "jaque desde {squares}",
		"position.count":          "esta posición se ha dado {n} {n?vez|veces}",
		"position.can_mate":       "{side} pueden dar mate",
		"position.cannot_mate":    "{side} no pueden dar mate",
		"position.mate_unsettled": "no está resuelto si {side} pueden dar mate",
		"position.stuck":          "no hay jugadas legales",
		"position.moves":          "{n} {n?jugada legal|jugadas legales}: {moves}",

		"turn":                   "juegan {side}",
		"turn.check":             "juegan {side}, en jaque",
		"check":                  "{side} dan jaque",
		"draw_offer":             "{side} ofrecen tablas",
		"draw_declined":          "{side} rechazan las tablas",
		"draw_declined.move":     "{side} rechazan las tablas al jugar",
		"draw_claimable":         "se pueden reclamar tablas: {why}",
		"flag_fallen":            "ha caído la bandera de {side}",
		"result_proposed":        "los reyes en el centro dicen: {result}",
		"illegal":                "{side} no pueden jugar {way}: {why}, artículo {article}",
		"illegal_standing.clock": "{side} han hecho un movimiento ilegal {way} y han pulsado el reloj",
		"illegal_standing.reply": "{side} han hecho un movimiento ilegal {way}, y la respuesta fue {reply}",
		"king_captured":          "{side} han capturado el rey en {square}, lo que ninguna ley permite",
		"touch_move.move":        "pieza tocada, pieza movida: la de {square} debe moverse",
		"touch_move.take":        "pieza tocada, pieza movida: la de {square} debe ser capturada",
		"touch_move.both":        "pieza tocada, pieza movida: la de {square} debe capturar la de {square2}",
		"touch_move.free":        "pieza tocada: la de {square} no tiene jugada legal, así que puede moverse otra",
		"takeback":               "jugadas retiradas: {moves}",
		"takeback.many":          "{n} medias jugadas retiradas",
		"takeback.corrected":     "lo que parecía {moves} era otra cosa",
		"doubt":                  "no está claro qué se ha jugado",
		"doubt.ways":             "no está claro qué se ha jugado: ¿{ways}?",
		"doubt.orientation":      "¿cómo está orientado el tablero?",
		"doubt.setup":            "¿empieza una partida desde la posición del tablero?",
		"resolved":               "ahora está claro: {moves}",
		"resolved.nothing":       "ahora está claro",
		"promotion.ask":          "hay un peón en {square}: ¿en qué se convierte, en {pieces:un}?",
		"wait.promotion":         "se espera la elección de una pieza en {squares}",
		"wait.remote":            "falta hacer en el tablero la jugada de {from} a {to}",
		"wait.rook":              "enroque: la torre va de {from} a {to}",
		"wait.victim":            "se espera que se retire el peón capturado de {squares}",
		"wait.doubt":             "no está claro qué jugada se ha hecho",
		"wait.start":             "se espera la posición inicial",

		"game_start":             "empieza una partida",
		"game_start.other":       "empieza una partida desde una posición distinta de la habitual",
		"game_start.moves":       "con {n} {n?media jugada ya hecha|medias jugadas ya hechas}",
		"setup.position":         "se espera la posición {fen}",
		"setup.refused":          "aquí no empieza ninguna partida si no se confirma otra vez: {why}",
		"desync":                 "las piezas no están como en la partida",
		"desync.missing":         "faltan: {men}",
		"desync.extra":           "sobran: {men}",
		"men":                    "{n} {n?pieza|piezas}",
		"man.on":                 "{man} en {square}",
		"something":              "algo",
		"something.white":        "algo blanco",
		"something.black":        "algo negro",
		"resync":                 "las piezas están otra vez como en la partida",
		"board_online":           "el tablero está conectado",
		"board_offline":          "el tablero no está conectado",
		"low_battery.clock":      "la batería del reloj está baja",
		"low_battery.other":      "la batería está baja",
		"weak_square.flicker":    "el sensor de {square} parpadea",
		"weak_square.stuck":      "el sensor de {square} no cambia",
		"weak_square.never_seen": "no se ve la pieza de {square}: conviene moverla un poco",
		"weak_square.other":      "el sensor de {square} no es de fiar",
		"command":                "orden: {verb}",
		"command.by":             "orden de {by}: {verb}",
	},
}

var spanishMen = [...]string{
	rules.Pawn: "peón", rules.Knight: "caballo", rules.Bishop: "alfil", rules.Rook: "torre", rules.Queen: "dama", rules.King: "rey",
}

var (
	spanishArticles = map[string][2]string{"el": {"el", "la"}, "un": {"un", "una"}, "del": {"del", "de la"}}
	spanishColors   = [2][2]string{{"blanco", "blanca"}, {"negro", "negra"}}
)

// spanishGender is 1 for the pieces that are feminine.
func spanishGender(r rules.Role) int {
	if r == rules.Rook || r == rules.Queen {
		return 1
	}
	return 0
}
