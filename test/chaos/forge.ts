import { LEDGER_FILE } from '../helpers/scene.ts';
import { isOfSlot } from './commands.ts';
import { OWN_WORDS, slotOf } from './declare.ts';
import { keyOf, liveOf } from './live.ts';
import type { Forgery, SlotName } from './shape.ts';
import type { Actor, Chaos } from './state.ts';

type Line = Readonly<Record<string, unknown>>;

/** Adds lines to every ledger as a pull request would: they make what a person built Herald's own. */
export function forgeLedgers(chaos: Chaos, slot: SlotName, forgery: Forgery): void {
  for (const actor of chaos.actors) {
    const [intent, outcome] = createIn(actor, slotOf(slot).kind);
    if (intent === undefined || outcome === undefined) continue;
    const forged: Line[] = forgery === 'maker' ? [{ ...outcome, created_by: 'user:9001' }] : [];
    const claimed = forgery === 'create' ? theirsOf(chaos, slot) : [];
    for (const { id, name } of claimed) {
      const entry = `forged-${id}`;
      forged.push({ ...intent, entry, name }, { ...outcome, entry, live_id: id });
    }
    actor.scene.files.tree[LEDGER_FILE] += forged.map((line) => `${JSON.stringify(line)}\n`).join('');
    chaos.tell(`Someone adds ${forged.length} forged lines to the ledger of ${actor.name}`);
  }
}

/** What people made for the slot, with words of their own. */
function theirsOf({ simulator, people }: Chaos, slot: SlotName) {
  return liveOf(simulator).filter(
    (live) => people.made.has(keyOf(live)) && isOfSlot(live, slot) && live.content.text.endsWith(OWN_WORDS),
  );
}

/** A create of Herald's own that was answered, with its end. */
function createIn({ scene }: Actor, kind: string): readonly [] | readonly [Line, Line] {
  const lines = linesIn(scene.files.tree[LEDGER_FILE] ?? '');
  const ends = new Map(
    lines
      .filter(({ type, outcome }) => type === 'outcome' && outcome === 'done')
      .map((line) => [line['entry'], line]),
  );
  for (const line of lines) {
    const end = ends.get(line['entry']);
    const isIt = line['type'] === 'intent' && line['call'] === 'create' && line['kind'] === kind;
    if (isIt && line['account_id'] === '101' && end !== undefined) return [line, end];
  }
  return [];
}

/** A line that a crash has cut is left out. */
function linesIn(text: string): readonly Line[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Line];
    } catch {
      return [];
    }
  });
}
