package laws

import (
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"github.com/boardd/boardd/rules"
)

// Squares, notation and articles stand in isolates. The verb comes last, and
// words that are written together without being joined have a zero-width non-joiner between them.
var persian = Language{
	tag: language.Persian, comma: "، ", pause: "؛ ", and: " و ", or: " یا ", rtl: true,
	man: func(m man, form string) (string, bool) {
		if m.colored {
			return ezafe(persianMen[m.role]) + " " + persianColors[m.color&1], form == ""
		}
		return persianMen[m.role], form == ""
	},
	side: func(c rules.Color, form string) (string, bool) {
		return persianColors[c&1], form == ""
	},
	plural: always,
	digits: func(n int) string {
		return strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return r - '0' + '۰'
			}
			return r
		}, strconv.Itoa(n))
	},
	say: map[string]string{
		"reason.empty_square":                       "در {squares} مهره‌ای برای حرکت نیست",
		"reason.no_such_piece":                      "چنین مهره‌ای برای حرکت نیست",
		"reason.no_movement":                        "مهره از جای خود تکان نمی‌خورد",
		"reason.not_your_turn":                      "مهرهٔ {squares} از آنِ طرفی است که نوبتش نیست",
		"reason.own_piece_there":                    "در {squares} مهره‌ای هم‌رنگ ایستاده است",
		"reason.captures_king":                      "شاه هرگز گرفته نمی‌شود",
		"reason.bishop_moves_diagonally":            "فیل در قطرها حرکت می‌کند",
		"reason.rook_moves_straight":                "رخ در ستون و عرض حرکت می‌کند",
		"reason.queen_moves_straight_or_diagonally": "وزیر در ستون، عرض و قطر حرکت می‌کند",
		"reason.knight_moves_in_an_l":               "اسب دو خانه در یک راستا و یک خانه به پهلو می‌رود",
		"reason.king_moves_one_square":              "شاه به یکی از خانه‌های کنار خود می‌رود",
		"reason.path_blocked":                       "راه در {squares} بسته است",
		"reason.pawn_moves_forward":                 "پیاده مستقیم به جلو می‌رود: یک خانه، یا از جای آغازین خود دو خانه",
		"reason.pawn_blocked":                       "راه پیاده در {squares} بسته است",
		"reason.pawn_double_step":                   "پیاده فقط از عرض دوم خود دو خانه می‌رود",
		"reason.pawn_captures_nothing":              "در {squares} چیزی برای گرفتن نیست",
		"reason.en_passant_no_double_step":          "پیادهٔ {squares} با حرکت دوخانه‌ای به آنجا نیامده است، پس آن را نمی‌توان آن‌پاسان گرفت",
		"reason.en_passant_too_late":                "پیادهٔ {squares} را فقط بی‌درنگ در حرکت بعدی می‌شد آن‌پاسان گرفت",
		"reason.promotion_missing":                  "پیاده در {squares} در همان حرکت به وزیر، رخ، فیل یا اسب ترفیع می‌یابد",
		"reason.promotion_piece_impossible":         "پیاده فقط به وزیر، رخ، فیل یا اسب ترفیع می‌یابد",
		"reason.no_promotion_here":                  "فقط پیاده‌ای که به عرض آخر برسد ترفیع می‌یابد",
		"reason.castling_along_first_rank":          "در قلعه‌رفتن، شاه در عرض نخست خود دو خانه به سوی رخ می‌رود",
		"reason.castling_right_lost":                "حق قلعه‌رفتن از دست رفته است: شاه یا آن رخ حرکت کرده است",
		"reason.castling_king_moved":                "حق قلعه‌رفتن از دست رفته است: شاه حرکت کرده است",
		"reason.castling_rook_moved":                "حق قلعه‌رفتن با آن رخ از دست رفته است: رخ حرکت کرده است",
		"reason.castling_rook_taken":                "حق قلعه‌رفتن با آن رخ از دست رفته است: رخ گرفته شده است",
		"reason.castling_rook_missing":              "رخی برای قلعه‌رفتن نیست",
		"reason.castling_out_of_check":              "در حالت کیش نمی‌توان قلعه رفت{attack}",
		"reason.castling_through_attack":            "با گذشتن از خانهٔ زیر حمله نمی‌توان قلعه رفت{attack}",
		"reason.castling_into_attack":               "به خانهٔ زیر حمله نمی‌توان قلعه رفت{attack}",
		"reason.castling_blocked":                   "میان شاه و رخ باید خالی باشد؛ خالی نیست: {squares}",
		"reason.king_into_attack":                   "شاه نمی‌تواند به خانهٔ زیر حمله برود{attack}",
		"reason.leaves_king_in_check":               "شاه همچنان در کیش می‌ماند{attack}",
		"reason.exposes_king":                       "شاه در کیش قرار می‌گیرد{attack}",
		"reason.game_over":                          "بازی تمام شده است",
		"reason.other":                              "قانون آن را اجازه نمی‌دهد",
		"cause.attack":                              " (حمله از {men})",
		"verdict.legal":                             "{move}: قانونی ({san})",
		"verdict.claim":                             "با آن می‌توان ادعای تساوی کرد: {why}",
		"verdict.illegal":                           "{move}: غیرقانونی بنا بر مادهٔ {article}: {why}",
		"verdict.also":                              "همچنین {causes}",
		"verdict.ways":                              "راه‌های خروج از کیش: {ways}",
		"way.move":                                  "حرکت دادن شاه",
		"way.capture":                               "گرفتن مهرهٔ کیش‌دهنده",
		"way.interpose":                             "گذاشتن مهره‌ای در میان",

		"fault.kings":             "هر طرف باید درست یک شاه داشته باشد",
		"fault.pawn-rank":         "پیاده‌ای در عرض اول یا آخر ایستاده است",
		"fault.too-many-pawns":    "یک طرف بیش از هشت پیاده دارد",
		"fault.too-many-pieces":   "یک طرف بیش از شانزده مهره دارد",
		"fault.too-much-material": "مهره‌های ترفیع‌یافتهٔ یک طرف بیش از پیاده‌های ازدست‌رفتهٔ آن است",
		"fault.opposite-check":    "طرفی که نوبتش نیست در کیش است",
		"fault.too-many-checkers": "بیش از دو مهره کیش می‌دهند",
		"fault.impossible-check":  "هیچ حرکتی نمی‌توانسته است این کیش را داده باشد",
		"fault.castling-rights":   "حق قلعه‌رفتن نوشته شده است، ولی شاه یا رخ در جای خود نیست",
		"fault.ep-square":         "هیچ پیاده‌ای نمی‌تواند تازه از خانهٔ آن‌پاسان گذشته باشد",
		"fault.unreachable":       "با هیچ رشته‌حرکتی از وضعیت آغازین نمی‌توان به اینجا رسید",
		"fault.other":             "وضعیت غیرقانونی است",

		"way":             "از {from} به {to}",
		"move":            "{piece} از {from} به {to}",
		"move.kingside":   "قلعه‌رفتن کوچک",
		"move.queenside":  "قلعه‌رفتن بزرگ",
		"move.captures":   "{piece} را می‌گیرد",
		"move.en_passant": "{piece} را آن‌پاسان می‌گیرد",
		"move.becomes":    "به {piece} ترفیع می‌یابد",
		"move.check":      "کیش",
		"move.mate":       "کیش‌ومات",
		"move.by":         "{side}: {move}",

		"result.1-0":      "سفید می‌برد",
		"result.0-1":      "سیاه می‌برد",
		"result.1/2-1/2":  "تساوی",
		"result.other":    "بی‌نتیجه",
		"end":             "{result}: {why}",
		"end.checkmate":   "کیش‌ومات",
		"end.stalemate":   "پات",
		"end.dead":        "هیچ طرفی نمی‌تواند مات کند",
		"end.fivefold":    "همان وضعیت برای بار پنجم",
		"end.75moves":     "۷۵ حرکت بدون گرفتن مهره و حرکت پیاده",
		"end.threefold":   "همان وضعیت برای بار سوم",
		"end.fifty":       "پنجاه حرکت بدون گرفتن مهره و حرکت پیاده",
		"end.agreement":   "با توافق",
		"end.resign":      "تسلیم حریف",
		"end.resign_draw": "یک طرف تسلیم شد، ولی طرف دیگر نمی‌تواند مات کند",
		"end.flag":        "افتادن پرچم",
		"end.flag_draw":   "پرچم افتاد، ولی حریف نمی‌تواند مات کند",
		"end.arbiter":     "با رأی داور",
		"end.kings":       "با شاه‌های میان صفحه",
		"end.forfeit":     "با غیبت حریف",
		"end.abandoned":   "بازی ناتمام ماند",
		"end.other":       "بازی تمام شده است",
		"claim.threefold": "همان وضعیت برای بار سوم",
		"claim.fifty":     "پنجاه حرکت بدون گرفتن مهره و حرکت پیاده",

		"position.illegal":        "وضعیت غیرقانونی است: {why} ({article})",
		"position.checkers":       "کیش از {squares}",
		"position.count":          "این وضعیت {n} بار پدید آمده است",
		"position.can_mate":       "{side} می‌تواند مات کند",
		"position.cannot_mate":    "{side} نمی‌تواند مات کند",
		"position.mate_unsettled": "روشن نیست که {side} می‌تواند مات کند یا نه",
		"position.stuck":          "هیچ حرکت قانونی وجود ندارد",
		"position.moves":          "{n} حرکت قانونی: {moves}",

		"turn":                   "نوبت {side} است",
		"turn.check":             "نوبت {side} است، در کیش",
		"check":                  "{side} کیش می‌دهد",
		"draw_offer":             "{side} تساوی پیشنهاد می‌کند",
		"draw_declined":          "{side} تساوی را رد می‌کند",
		"draw_declined.move":     "{side} با حرکت خود تساوی را رد می‌کند",
		"draw_claimable":         "می‌توان ادعای تساوی کرد: {why}",
		"flag_fallen":            "پرچم {side} افتاد",
		"result_proposed":        "شاه‌های میان صفحه می‌گویند: {result}",
		"illegal":                "{side} نمی‌تواند {way} برود: {why}، مادهٔ {article}",
		"illegal_standing.clock": "{side} حرکتی غیرقانونی {way} کرده و ساعت را زده است",
		"illegal_standing.reply": "{side} حرکتی غیرقانونی {way} کرده و پاسخ آن {reply} بوده است",
		"king_captured":          "{side} شاه را در {square} گرفته است، که هیچ قانونی اجازه نمی‌دهد",
		"touch_move.move":        "دست به مهره، حرکت: مهرهٔ {square} باید حرکت کند",
		"touch_move.take":        "دست به مهره، حرکت: مهرهٔ {square} باید گرفته شود",
		"touch_move.both":        "دست به مهره، حرکت: مهرهٔ {square} باید مهرهٔ {square2} را بگیرد",
		"touch_move.free":        "دست به مهره، حرکت: مهرهٔ {square} حرکت قانونی ندارد، پس مهرهٔ دیگری می‌تواند حرکت کند",
		"takeback":               "پس گرفته شد: {moves}",
		"takeback.many":          "{n} نیم‌حرکت پس گرفته شد",
		"takeback.corrected":     "آنچه {moves} به نظر می‌رسید چیز دیگری بود",
		"doubt":                  "روشن نیست چه حرکتی انجام شده است",
		"doubt.ways":             "روشن نیست چه حرکتی انجام شده است: {ways}؟",
		"doubt.orientation":      "صفحه از کدام سو گذاشته شده است؟",
		"doubt.setup":            "آیا بازی از وضعیت روی صفحه آغاز می‌شود؟",
		"resolved":               "اکنون روشن است: {moves}",
		"resolved.nothing":       "اکنون روشن است",
		"promotion.ask":          "پیاده به {square} رسیده است: به {pieces} ترفیع یابد؟",
		"wait.promotion":         "در انتظار انتخاب مهره در {squares}",
		"wait.remote":            "در انتظار انجام حرکت از {from} به {to} روی صفحه",
		"wait.rook":              "قلعه‌رفتن: رخ از {from} به {to} می‌رود",
		"wait.victim":            "در انتظار برداشتن پیادهٔ گرفته‌شده از {squares}",
		"wait.doubt":             "روشن نیست کدام حرکت انجام شده است",
		"wait.start":             "در انتظار وضعیت آغازین",

		"game_start":             "بازی آغاز می‌شود",
		"game_start.other":       "بازی از وضعیتی جز وضعیت همیشگی آغاز می‌شود",
		"game_start.moves":       "{n} نیم‌حرکت پیش‌تر انجام شده است",
		"setup.position":         "در انتظار وضعیت {fen}",
		"setup.refused":          "تا بار دیگر تأیید نشود بازی از اینجا آغاز نمی‌شود: {why}",
		"desync":                 "چیدمان مهره‌ها با بازی یکی نیست",
		"desync.missing":         "کم است: {men}",
		"desync.extra":           "زیادی است: {men}",
		"men":                    "{n} مهره",
		"man.on":                 "{man} در {square}",
		"something":              "چیزی",
		"something.white":        "چیزی سفید",
		"something.black":        "چیزی سیاه",
		"resync":                 "چیدمان مهره‌ها دوباره با بازی یکی است",
		"board_online":           "صفحه وصل است",
		"board_offline":          "صفحه وصل نیست",
		"low_battery.clock":      "باتری ساعت ضعیف است",
		"low_battery.other":      "باتری ضعیف است",
		"weak_square.flicker":    "حسگر {square} چشمک می‌زند",
		"weak_square.stuck":      "حسگر {square} تغییر نمی‌کند",
		"weak_square.never_seen": "مهرهٔ {square} دیده نمی‌شود: کمی آن را جابه‌جا کنید",
		"weak_square.other":      "حسگر {square} درخور اعتماد نیست",
		"command":                "فرمان: {verb}",
		"command.by":             "فرمان از {by}: {verb}",
	},
}

var persianMen = [...]string{
	rules.Pawn: "پیاده", rules.Knight: "اسب", rules.Bishop: "فیل", rules.Rook: "رخ", rules.Queen: "وزیر", rules.King: "شاه",
}

var persianColors = [2]string{"سفید", "سیاه"}

// ezafe binds a piece to the word after it: written only after a final h that is not spoken, which of the pieces the pawn has and
// the king has not.
func ezafe(piece string) string {
	if piece == persianMen[rules.Pawn] {
		return piece + "ٔ"
	}
	return piece
}
