package mqtt

// Topic is one topic of the contract, which docs/mqtt.md and docs/asyncapi.yaml tell of.
type Topic struct {
	Address  string // below root, with {node}, {board}, {verb} and {field}
	In       bool   // boardd takes what others publish there
	QoS      byte   // with which boardd publishes or subscribes
	Retained bool
	Schema   string // of the body, a file of docs/schemas; "" for a picture
}

// Topics are all topics below the root.
var Topics = []Topic{
	{Address: "{node}/status", QoS: 1, Retained: true, Schema: "status"},
	{Address: "{node}/info", QoS: 1, Retained: true, Schema: "info"},
	{Address: "{node}/boards", QoS: 1, Retained: true, Schema: "boards"},
	{Address: "{node}/cmd/{verb}", In: true, QoS: 1, Schema: "command"},
	{Address: "{node}/reply", QoS: 1, Schema: "reply"},
	{Address: "{node}/{board}/status", QoS: 1, Retained: true, Schema: "status"},
	{Address: "{node}/{board}/state", QoS: 1, Retained: true, Schema: "state"},
	{Address: "{node}/{board}/game", QoS: 1, Retained: true, Schema: "game"},
	{Address: "{node}/{board}/last_game", QoS: 1, Retained: true, Schema: "game"},
	{Address: "{node}/{board}/event", QoS: 1, Schema: "event"},
	{Address: "{node}/{board}/arbiter", QoS: 1, Schema: "event"},
	{Address: "{node}/{board}/resend", QoS: 1, Schema: "event"},
	{Address: "{node}/{board}/live", QoS: 0, Schema: "live"},
	{Address: "{node}/{board}/clock", QoS: 0, Retained: true, Schema: "clock"},
	{Address: "{node}/{board}/settings", QoS: 1, Retained: true, Schema: "settings"},
	{Address: "{node}/{board}/image", QoS: 0, Retained: true},
	{Address: "{node}/{board}/field/{field}", QoS: 0, Retained: true, Schema: "field"},
	{Address: "{node}/{board}/cmd/{verb}", In: true, QoS: 1, Schema: "command"},
	{Address: "{node}/{board}/reply", QoS: 1, Schema: "reply"},
}
