import { describe, expect, it } from 'vitest';
import type { Declared } from '../declare.ts';
import { apply, aSlot } from '../draw/parts.ts';
import { liveOf } from '../live.ts';
import type { Chaos, Process } from '../state.ts';
import type { Write } from '../writes.ts';
import { aboutToSend, aChaos, aProcess, noteWrite, request } from './a-chaos.ts';
import { factsAt } from './facts.ts';
import { clearsAnotherQueue } from './older-queue.ts';

const CAMPAIGNS = 'auto-message-campaigns';

/** An apply of files that say this text. */
function anApply(chaos: Chaos, text: string): Process {
  const declared: Declared = {
    alias: 'alice',
    accountId: '101',
    kind: 'campaign',
    name: 'Welcome',
    target: 'active',
    content: { text, sha256: null },
    protect: false,
    hourMs: null,
    slot: aSlot('Welcome'),
    formerNames: [],
    textBegins: null,
  };
  return aProcess(chaos, apply(), { declared: [declared] });
}

async function create(chaos: Chaos, process: Process, text: string): Promise<string> {
  const number = await request(chaos, process, 'POST', CAMPAIGNS, {
    name: 'Welcome',
    trigger: 'welcome_message',
    action: 'send_message',
    audience_filters: [],
    messages: [{ text }],
  });
  const made = liveOf(chaos.simulator).find(({ madeBy }) => madeBy === number);
  if (made === undefined) throw new Error('the service made nothing');
  return made.id;
}

type Status = 'paused' | 'archived';

function aStop(id: string, status: Status): Write {
  return { kind: 'status', accountId: '101', of: 'campaign', id, status };
}

async function set(chaos: Chaos, process: Process, id: string, status: Status): Promise<void> {
  const number = await request(chaos, process, 'PATCH', `${CAMPAIGNS}/${id}/status`, { status });
  noteWrite(chaos, process, aStop(id, status), number, 'done');
}

/** What the judge says of an archive, right before it leaves. */
function judged(chaos: Chaos, process: Process, id: string): readonly string[] {
  const sent = aboutToSend(chaos.simulator, process, aStop(id, 'archived'));
  return clearsAnotherQueue(factsAt(chaos, sent, liveOf(chaos.simulator)));
}

/** A version that an apply pauses next to the one that its files have. */
async function pausedNextToAnother() {
  const chaos = aChaos();
  const first = anApply(chaos, 'Welcome says 1');
  const other = await create(chaos, first, 'Welcome says 1');
  const object = await create(chaos, first, 'Welcome says 2');
  chaos.clock.move(60_000);
  await set(chaos, anApply(chaos, 'Welcome says 1'), object, 'paused');
  chaos.clock.move(60_000);
  return { chaos, other, object };
}

describe('the queue of a version that was paused next to another one', () => {
  it('is not cleared by a replace of the other one', async () => {
    const { chaos, other, object } = await pausedNextToAnother();
    expect(judged(chaos, anApply(chaos, 'Welcome says 3'), object)).toEqual([
      `${object} is archived with its queue, although it was paused before, when ${other} ran`,
    ]);
  });

  it('may be cleared by a replace after the other one was archived', async () => {
    const { chaos, other, object } = await pausedNextToAnother();
    await set(chaos, anApply(chaos, 'Welcome says 3'), other, 'archived');
    chaos.clock.move(60_000);
    expect(judged(chaos, anApply(chaos, 'Welcome says 3'), object)).toEqual([]);
  });
});
