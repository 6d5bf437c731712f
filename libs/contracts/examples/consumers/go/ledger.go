// Maintains a ledger of all purchase orders in one file: the status of each, and the amount on which buyer and vendor agreed. Starts from
// po.state.v1 and follows po.transitions.v1. May be killed at any time: ledger and positions are replaced atomically.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math/big"
	"os"

	"github.com/twmb/franz-go/pkg/kgo"
)

const states, transitions = "po.state.v1", "po.transitions.v1"

type order struct {
	PoVersion int     `json:"poVersion"`
	StatusID  int     `json:"statusId"`
	Currency  string  `json:"currency"`
	Agreed    *string `json:"agreed"`
}

type ledger struct {
	Positions positions        `json:"positions"`
	Orders    map[string]order `json:"orders"`
}

func main() {
	kafka := connect()
	first := kafka.firstOffsets(transitions)
	kept := load()
	if kept.Positions.reached(first) && kafka.endOffsets(transitions).reached(kept.Positions) {
		log.Printf("goes on with %d orders", len(kept.Orders))
	} else {
		// There is no ledger, it missed transitions that were deleted, or the topic is a new one. Reads transitions from the first available
		// one: starting now would miss those that happen while the states are read. Those already in the states are dropped by version.
		kept = ledger{first, map[string]order{}}
		at, ends := kafka.firstOffsets(states), kafka.endOffsets(states)
		kafka.read(states, at, kept.enter, func() bool { return at.reached(ends) })
		kept.save()
		log.Printf("begins with %d orders", len(kept.Orders))
	}
	kafka.read(transitions, kept.Positions, kept.enter, func() bool { kept.save(); return false })
}

// Ignores all other fields: fields, actions and statuses may be added without notice.
func (kept ledger) enter(record *kgo.Record) error {
	var event struct {
		PoRef, Currency                 string
		PoVersion, StatusID, ToStatusID *int
		Agreed                          *struct{ Lines []line }
	}
	if err := json.Unmarshal(record.Value, &event); err != nil {
		return err
	}
	status := map[string]*int{"po.state-changed.v1": event.StatusID, "po.transitioned.v1": event.ToStatusID}[typeOf(record)]
	if event.PoRef == "" || event.PoVersion == nil || status == nil {
		return fmt.Errorf("ce_type is unknown, or reference, version or status is missing")
	}
	known := kept.Orders[event.PoRef]
	// Records are delivered at least once. A consumer without versions drops records with a known ce_id. After a restore: see the README.
	if *event.PoVersion <= known.PoVersion {
		return nil
	}
	agreed := known.Agreed
	if event.Agreed != nil {
		amount, err := amountOf(event.Agreed.Lines)
		if err != nil {
			return err
		}
		agreed = &amount
	}
	kept.Orders[event.PoRef] = order{*event.PoVersion, *status, event.Currency, agreed}
	return nil
}

type line struct{ Qty, UnitPrice json.Number }

// Exact, unlike floating point.
func amountOf(lines []line) (string, error) {
	sum := new(big.Rat)
	for _, line := range lines {
		qty, known := new(big.Rat).SetString(line.Qty.String())
		price, priced := new(big.Rat).SetString(line.UnitPrice.String())
		if !known || !priced {
			return "", fmt.Errorf("a line has no quantity or no price")
		}
		sum.Add(sum, qty.Mul(qty, price))
	}
	return sum.FloatString(4), nil
}

// Returns an empty ledger if there is no file.
func load() (kept ledger) {
	if content, err := os.ReadFile(file); err == nil {
		must(0, json.Unmarshal(content, &kept))
	}
	return kept
}

func (kept ledger) save() {
	must(0, os.WriteFile(file+".new", must(json.Marshal(kept)), 0o644))
	must(0, os.Rename(file+".new", file))
}
