package laws

import (
	"strings"
	"unicode"

	"golang.org/x/text/language"

	"github.com/boardd/boardd/rules"
)

// Thai words do not change and stand without spaces between them; a space parts them from squares, numbers and notation, which the
// language's last touch puts in. Men are counted in ตัว, squares in ช่อง, moves in ตา.
var thai = Language{
	tag: language.Thai, comma: ", ", pause: "; ", and: "และ", or: "หรือ",
	man: func(m man, form string) (string, bool) {
		name := thaiMen[m.role]
		if m.colored {
			name += thaiColors[m.color&1]
		}
		return name, form == ""
	},
	side:   func(c rules.Color, form string) (string, bool) { return "ฝ่าย" + thaiColors[c&1], form == "" },
	plural: always,
	finish: partScripts,
	say: map[string]string{
		"reason.empty_square":                       "ไม่มีหมากให้เดินที่{squares}",
		"reason.no_such_piece":                      "ไม่มีหมากที่จะเดินเช่นนั้น",
		"reason.no_movement":                        "หมากยังอยู่ที่เดิม",
		"reason.not_your_turn":                      "หมากที่{squares}เป็นของฝ่ายที่ยังไม่ถึงตาเดิน",
		"reason.own_piece_there":                    "มีหมากสีเดียวกันอยู่ที่{squares}",
		"reason.captures_king":                      "ไม่มีการกินคิง",
		"reason.bishop_moves_diagonally":            "บิชอปเดินตามแนวทแยง",
		"reason.rook_moves_straight":                "เรือเดินตามแนวตั้งและแนวนอน",
		"reason.queen_moves_straight_or_diagonally": "ควีนเดินตามแนวตั้ง, แนวนอนและแนวทแยง",
		"reason.knight_moves_in_an_l":               "ม้าเดินตรงสองช่องแล้วเลี้ยวข้างหนึ่งช่อง",
		"reason.king_moves_one_square":              "คิงเดินไปช่องที่อยู่ติดกัน",
		"reason.path_blocked":                       "ทางเดินถูกขวางที่{squares}",
		"reason.pawn_moves_forward":                 "เบี้ยเดินตรงไปข้างหน้าหนึ่งช่องหรือสองช่องจากที่เริ่มต้น",
		"reason.pawn_blocked":                       "เบี้ยถูกขวางที่{squares}",
		"reason.pawn_double_step":                   "เบี้ยเดินสองช่องได้จากแถวที่สองของตนเท่านั้น",
		"reason.pawn_captures_nothing":              "ไม่มีหมากให้กินที่{squares}",
		"reason.en_passant_no_double_step":          "เบี้ยที่{squares}ไม่ได้มาด้วยการเดินสองช่องจึงกินผ่านไม่ได้",
		"reason.en_passant_too_late":                "เบี้ยที่{squares}กินผ่านได้เฉพาะในตาถัดไปทันทีเท่านั้น",
		"reason.promotion_missing":                  "เบี้ยที่ถึง{squares}ต้องเลื่อนขั้นเป็นควีน, เรือ, บิชอปหรือม้าในตาเดียวกัน",
		"reason.promotion_piece_impossible":         "เบี้ยเลื่อนขั้นเป็นควีน, เรือ, บิชอปหรือม้าเท่านั้น",
		"reason.no_promotion_here":                  "เฉพาะเบี้ยที่ถึงแถวสุดท้ายเท่านั้นที่เลื่อนขั้นได้",
		"reason.castling_along_first_rank":          "ในการเข้าป้อมคิงเดินสองช่องตามแถวแรกของตนไปทางเรือ",
		"reason.castling_right_lost":                "เสียสิทธิ์เข้าป้อมแล้ว: คิงหรือเรือตัวนั้นเคยเดินแล้ว",
		"reason.castling_king_moved":                "เสียสิทธิ์เข้าป้อมแล้ว: คิงเคยเดินแล้ว",
		"reason.castling_rook_moved":                "เสียสิทธิ์เข้าป้อมกับเรือตัวนั้นแล้ว: เรือเคยเดินแล้ว",
		"reason.castling_rook_taken":                "เสียสิทธิ์เข้าป้อมกับเรือตัวนั้นแล้ว: เรือถูกกินไปแล้ว",
		"reason.castling_rook_missing":              "ไม่มีเรือที่จะเข้าป้อมด้วย",
		"reason.castling_out_of_check":              "เข้าป้อมขณะถูกรุกไม่ได้{attack}",
		"reason.castling_through_attack":            "เข้าป้อมผ่านช่องที่ถูกโจมตีไม่ได้{attack}",
		"reason.castling_into_attack":               "เข้าป้อมไปยังช่องที่ถูกโจมตีไม่ได้{attack}",
		"reason.castling_blocked":                   "ช่องระหว่างคิงกับเรือต้องว่าง; ช่องที่ไม่ว่าง: {squares}",
		"reason.king_into_attack":                   "คิงเดินไปช่องที่ถูกโจมตีไม่ได้{attack}",
		"reason.leaves_king_in_check":               "คิงจะยังถูกรุกอยู่{attack}",
		"reason.exposes_king":                       "คิงจะถูกรุก{attack}",
		"reason.game_over":                          "เกมจบแล้ว",
		"reason.other":                              "กติกาไม่อนุญาต",
		"cause.attack":                              " (โจมตีจาก{men})",
		"verdict.legal":                             "{move}: เดินได้ตามกติกา ({san})",
		"verdict.claim":                             "เดินแล้วอ้างสิทธิ์เสมอได้: {why}",
		"verdict.illegal":                           "{move}: เดินผิดกติกาข้อ{article}: {why}",
		"verdict.also":                              "และ{causes}",
		"verdict.ways":                              "วิธีแก้รุก: {ways}",
		"way.move":                                  "เดินคิง",
		"way.capture":                               "กินหมากตัวที่รุก",
		"way.interpose":                             "นำหมากมาบัง",

		"fault.kings":             "แต่ละฝ่ายต้องมีคิงหนึ่งตัวพอดี",
		"fault.pawn-rank":         "มีเบี้ยอยู่ที่แถวแรกหรือแถวสุดท้าย",
		"fault.too-many-pawns":    "ฝ่ายหนึ่งมีเบี้ยเกินแปดตัว",
		"fault.too-many-pieces":   "ฝ่ายหนึ่งมีหมากเกินสิบหกตัว",
		"fault.too-much-material": "ฝ่ายหนึ่งมีหมากที่เลื่อนขั้นมากกว่าเบี้ยที่หายไป",
		"fault.opposite-check":    "ฝ่ายที่ยังไม่ถึงตาเดินถูกรุกอยู่",
		"fault.too-many-checkers": "มีหมากรุกคิงพร้อมกันเกินสองตัว",
		"fault.impossible-check":  "ไม่มีตาเดินสุดท้ายใดที่ทำให้รุกเช่นนี้ได้",
		"fault.castling-rights":   "ระบุสิทธิ์เข้าป้อมไว้แต่คิงหรือเรือไม่อยู่ในที่ของตน",
		"fault.ep-square":         "ไม่มีเบี้ยตัวใดที่เพิ่งเดินข้ามช่องกินผ่านได้",
		"fault.unreachable":       "ไม่มีลำดับการเดินใดจากตำแหน่งเริ่มต้นที่มาถึงตำแหน่งนี้",
		"fault.other":             "ตำแหน่งผิดกติกา",

		"way":             "จาก{from}ไป{to}",
		"move":            "{piece}จาก{from}ไป{to}",
		"move.kingside":   "เข้าป้อมฝั่งคิง",
		"move.queenside":  "เข้าป้อมฝั่งควีน",
		"move.captures":   "กิน{piece}",
		"move.en_passant": "กินผ่าน{piece}",
		"move.becomes":    "เลื่อนขั้นเป็น{piece}",
		"move.check":      "รุก",
		"move.mate":       "รุกจน",
		"move.by":         "{side}: {move}",

		"result.1-0":      "ฝ่ายขาวชนะ",
		"result.0-1":      "ฝ่ายดำชนะ",
		"result.1/2-1/2":  "เสมอ",
		"result.other":    "ไม่มีผล",
		"end":             "{result}: {why}",
		"end.checkmate":   "รุกจน",
		"end.stalemate":   "อับ",
		"end.dead":        "ทั้งสองฝ่ายไม่สามารถรุกจนได้",
		"end.fivefold":    "ตำแหน่งซ้ำเป็นครั้งที่ห้า",
		"end.75moves":     "75 ตาโดยไม่มีการกินหรือเดินเบี้ย",
		"end.threefold":   "ตำแหน่งซ้ำเป็นครั้งที่สาม",
		"end.fifty":       "ห้าสิบตาโดยไม่มีการกินหรือเดินเบี้ย",
		"end.agreement":   "ตกลงกัน",
		"end.resign":      "อีกฝ่ายยอมแพ้",
		"end.resign_draw": "ฝ่ายหนึ่งยอมแพ้แต่อีกฝ่ายไม่สามารถรุกจนได้",
		"end.flag":        "หมดเวลา",
		"end.flag_draw":   "หมดเวลาแต่อีกฝ่ายไม่สามารถรุกจนได้",
		"end.arbiter":     "กรรมการตัดสิน",
		"end.kings":       "วางคิงไว้กลางกระดาน",
		"end.forfeit":     "อีกฝ่ายไม่มาแข่ง",
		"end.abandoned":   "เกมถูกยกเลิกกลางคัน",
		"end.other":       "เกมจบแล้ว",
		"claim.threefold": "ตำแหน่งซ้ำเป็นครั้งที่สาม",
		"claim.fifty":     "ห้าสิบตาโดยไม่มีการกินหรือเดินเบี้ย",

		"position.illegal":        "ตำแหน่งผิดกติกา: {why} ({article})",
		"position.checkers":       "รุกจาก {squares}",
		"position.count":          "ตำแหน่งนี้เกิดขึ้น {n} ครั้ง",
		"position.can_mate":       "{side}สามารถรุกจนได้",
		"position.cannot_mate":    "{side}ไม่สามารถรุกจนได้",
		"position.mate_unsettled": "ยังไม่ทราบว่า{side}สามารถรุกจนได้หรือไม่",
		"position.stuck":          "ไม่มีตาเดินที่ถูกกติกา",
		"position.moves":          "ตาเดินที่ถูกกติกา {n} แบบ: {moves}",

		"turn":                   "ถึงตา{side}เดิน",
		"turn.check":             "ถึงตา{side}เดินขณะถูกรุก",
		"check":                  "{side}รุก",
		"draw_offer":             "{side}ขอเสมอ",
		"draw_declined":          "{side}ไม่รับเสมอ",
		"draw_declined.move":     "{side}ไม่รับเสมอโดยเดินต่อ",
		"draw_claimable":         "อ้างสิทธิ์เสมอได้: {why}",
		"flag_fallen":            "{side}หมดเวลา",
		"result_proposed":        "คิงที่วางไว้กลางกระดานบอกว่า: {result}",
		"illegal":                "{side}เดิน{way}ไม่ได้: {why}, ข้อ{article}",
		"illegal_standing.clock": "{side}เดินผิดกติกา{way}แล้วกดนาฬิกา",
		"illegal_standing.reply": "{side}เดินผิดกติกา{way}และอีกฝ่ายเดินตอบ{reply}",
		"king_captured":          "{side}กินคิงที่{square}ซึ่งไม่มีกติกาใดอนุญาต",
		"touch_move.move":        "จับตัวไหนเดินตัวนั้น: ต้องเดินหมากที่{square}",
		"touch_move.take":        "จับตัวไหนเดินตัวนั้น: ต้องกินหมากที่{square}",
		"touch_move.both":        "จับตัวไหนเดินตัวนั้น: หมากที่{square}ต้องกินหมากที่{square2}",
		"touch_move.free":        "จับตัวไหนเดินตัวนั้น: หมากที่{square}ไม่มีตาเดินจึงเดินตัวอื่นได้",
		"takeback":               "ถอนตาเดิน: {moves}",
		"takeback.many":          "ถอนการเดิน{n}ครั้ง",
		"takeback.corrected":     "ที่ดูเหมือน{moves}นั้นเป็นอย่างอื่น",
		"doubt":                  "ไม่แน่ชัดว่าเดินอะไร",
		"doubt.ways":             "ไม่แน่ชัดว่าเดินอะไร: {ways}?",
		"doubt.orientation":      "กระดานวางหันไปทางไหน?",
		"doubt.setup":            "จะเริ่มเกมจากตำแหน่งบนกระดานหรือไม่?",
		"resolved":               "แน่ชัดแล้ว: {moves}",
		"resolved.nothing":       "แน่ชัดแล้ว",
		"promotion.ask":          "เบี้ยอยู่ที่{square}: จะเลื่อนขั้นเป็น{pieces}?",
		"wait.promotion":         "รอการเลือกหมากที่{squares}",
		"wait.remote":            "รอให้เดินหมากจาก{from}ไป{to}บนกระดาน",
		"wait.rook":              "เข้าป้อม: เรือไปจาก{from}ไป{to}",
		"wait.victim":            "รอให้ยกเบี้ยที่ถูกกินออกจาก{squares}",
		"wait.doubt":             "ไม่แน่ชัดว่าเดินตาใด",
		"wait.start":             "รอตำแหน่งเริ่มต้น",

		"game_start":             "เริ่มเกม",
		"game_start.other":       "เริ่มเกมจากตำแหน่งที่ไม่ใช่ตำแหน่งปกติ",
		"game_start.moves":       "เดินไปแล้ว{n}ครั้ง",
		"setup.position":         "รอตำแหน่ง{fen}",
		"setup.refused":          "จะยังไม่เริ่มเกมจากตรงนี้หากไม่ยืนยันอีกครั้ง: {why}",
		"desync":                 "หมากไม่ได้ตั้งอยู่ตามเกม",
		"desync.missing":         "ขาด: {men}",
		"desync.extra":           "เกิน: {men}",
		"men":                    "หมาก{n}ตัว",
		"man.on":                 "{man}ที่{square}",
		"something":              "บางสิ่ง",
		"something.white":        "บางสิ่งสีขาว",
		"something.black":        "บางสิ่งสีดำ",
		"resync":                 "หมากกลับมาตั้งอยู่ตามเกมแล้ว",
		"board_online":           "กระดานเชื่อมต่ออยู่",
		"board_offline":          "กระดานไม่ได้เชื่อมต่อ",
		"low_battery.clock":      "แบตเตอรี่ของนาฬิกาใกล้หมด",
		"low_battery.other":      "แบตเตอรี่ใกล้หมด",
		"weak_square.flicker":    "เซ็นเซอร์ของช่อง{square}กะพริบ",
		"weak_square.stuck":      "เซ็นเซอร์ของช่อง{square}ไม่เปลี่ยนแปลง",
		"weak_square.never_seen": "มองไม่เห็นหมากที่{square}: ขยับเล็กน้อย",
		"weak_square.other":      "เซ็นเซอร์ของช่อง{square}เชื่อถือไม่ได้",
		"command":                "คำสั่ง: {verb}",
		"command.by":             "คำสั่งจาก{by}: {verb}",
	},
}

var thaiMen = [...]string{
	rules.Pawn: "เบี้ย", rules.Knight: "ม้า", rules.Bishop: "บิชอป", rules.Rook: "เรือ", rules.Queen: "ควีน", rules.King: "คิง",
}

var thaiColors = [2]string{"ขาว", "ดำ"}

// partScripts puts a space wherever Thai meets letters and digits of another script.
func partScripts(text string) string {
	var b strings.Builder
	var last rune
	foreign := func(r rune) bool { return r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	signed := func(r rune) bool { return foreign(r) || r == '+' || r == '#' }
	isThai := func(r rune) bool { return unicode.Is(unicode.Thai, r) }
	for _, r := range text {
		if isThai(last) && foreign(r) || signed(last) && isThai(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}
