import { describe, expect, it } from 'vitest';
import { holesOf } from '../../../src/operations/events/holes.ts';
import { createNote } from '../../../src/events/notes.ts';
import { anEvent } from '../../helpers/event-builders.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const MINUTE = 60_000;
const at = (minutes: number) => new Date(NOON + minutes * MINUTE).toISOString();
const range = { fromMs: NOON, toMs: NOON + 10 * MINUTE };
const listening = (...minutes: number[]) =>
  minutes.map((minute) => createNote('herald.listening', 'run', NOON + minute * MINUTE));

describe('the ranges in which events may have been lost', () => {
  it('are none while the receiver listens', () => {
    expect(holesOf(listening(1, 3, 5, 7, 9), [], range)).toEqual([]);
  });

  it('are those without a trace of the receiver; an event is a trace', () => {
    const traces = [...listening(1, 3, 9), anEvent({ id: 1 }, NOON + 5 * MINUTE)];
    expect(holesOf(traces, [], range)).toEqual([{ from: at(5), to: at(9), why: 'not_listening' }]);
  });

  it('are a minute around what did not come although the receiver listened', () => {
    const missing = [{ atMs: NOON + 4 * MINUTE }, { atMs: NOON + 4.5 * MINUTE }];
    expect(holesOf(listening(1, 3, 5, 7, 9), missing, range)).toEqual([
      { from: at(3), to: at(5.5), why: 'events_missing' },
    ]);
  });
});
