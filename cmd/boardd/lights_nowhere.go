package main

import (
	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
)

// nowhere takes everything and does nothing.
type nowhere struct{}

func (nowhere) String() string                    { return "nowhere" }
func (nowhere) Close() error                      { return nil }
func (nowhere) Set(uint64) error                  { return nil }
func (nowhere) Tx(uint16, []byte, []byte) error   { return nil }
func (nowhere) SetSpeed(physic.Frequency) error   { return nil }
func (nowhere) Write(b []byte) (n int, err error) { return len(b), nil }

// nowhereSPI is the same as an SPI device.
type nowhereSPI struct{}

func (nowhereSPI) String() string          { return "nowhere" }
func (nowhereSPI) Close() error            { return nil }
func (nowhereSPI) Tx([]byte, []byte) error { return nil }
func (nowhereSPI) Duplex() conn.Duplex     { return conn.Full }
