import { describe, expect, it } from 'vitest';
import type { ApplyReport, Outcome } from '../../../src/domain/change.ts';
import { liveOf } from '../live.ts';
import { EDITED, type Declared } from '../declare.ts';
import { apply, aSlot } from '../draw/parts.ts';
import type { Chaos, Process } from '../state.ts';
import type { Write } from '../writes.ts';
import { LEDGER_FILE } from '../../helpers/scene.ts';
import { aboutToSend, aChaos, aProcess, noteWrite, request } from './a-chaos.ts';
import { factsAt } from './facts.ts';
import { forbidden } from './forbidden.ts';
import { moneyTwice } from './money.ts';
import { saidInReport } from './said-in-report.ts';

const CAMPAIGNS = 'auto-message-campaigns';
const TEXT = 'Welcome says 1';
/** As the service makes it, some seconds after a create. */
const REWORDED = 'Welcome says: 1';

const DECLARED: Declared = {
  alias: 'alice',
  accountId: '101',
  kind: 'campaign',
  name: 'Welcome',
  target: 'active',
  content: { text: TEXT, sha256: null },
  protect: false,
  hourMs: null,
  slot: aSlot('Welcome'),
  formerNames: [],
  textBegins: null,
};
const TERMS = { declared: [DECLARED] };

/** Creates the campaign with this text; answers its id. */
async function create(chaos: Chaos, process: Process, text: string): Promise<string> {
  const messages = [{ text }];
  const number = await request(chaos, process, 'POST', CAMPAIGNS, {
    name: 'Welcome',
    trigger: 'welcome_message',
    action: 'send_message',
    audience_filters: [],
    messages,
  });
  const content = { text: TEXT, sha256: null };
  const write: Write = { kind: 'create', accountId: '101', of: 'campaign', name: 'Welcome', content };
  noteWrite(chaos, process, write, number, 'done');
  const made = liveOf(chaos.simulator).find(({ madeBy }) => madeBy === number);
  if (made === undefined) throw new Error('the service made nothing');
  return made.id;
}

async function stop(chaos: Chaos, process: Process, id: string): Promise<readonly string[]> {
  const write: Write = { kind: 'status', accountId: '101', of: 'campaign', id, status: 'paused' };
  const found = forbidden(
    factsAt(chaos, aboutToSend(chaos.simulator, process, write), liveOf(chaos.simulator)),
  );
  const number = await request(chaos, process, 'PATCH', `${CAMPAIGNS}/${id}/status`, { status: 'paused' });
  noteWrite(chaos, process, write, number, 'done');
  return found;
}

describe('a stop of a version after the service changed its text', () => {
  it('is allowed for each of several copies that one replace stops', async () => {
    const chaos = aChaos();
    const lost = aProcess(chaos, apply(), TERMS);
    const [first, second] = [await create(chaos, lost, REWORDED), await create(chaos, lost, REWORDED)];
    chaos.clock.move(60_000);
    const run = aProcess(chaos, apply(), TERMS);
    expect(await stop(chaos, run, first)).toEqual([]);
    expect(await stop(chaos, run, second)).toEqual([]);
  });

  it('is allowed where it ends the late copy of an earlier replace', async () => {
    const chaos = aChaos();
    const lost = aProcess(chaos, apply(), TERMS);
    await create(chaos, lost, `${REWORDED}${EDITED}`);
    chaos.clock.move(60_000);
    const late = await create(chaos, lost, REWORDED);
    chaos.clock.move(60_000);
    expect(await stop(chaos, aProcess(chaos, apply(), TERMS), late)).toEqual([]);
  });

  it('is a forbidden write where this version itself replaced another for the same reason', async () => {
    const chaos = aChaos();
    const run = aProcess(chaos, apply(), TERMS);
    const first = await create(chaos, run, REWORDED);
    expect(await stop(chaos, run, first)).toEqual([]);
    const second = await create(chaos, run, REWORDED);
    chaos.clock.move(60_000);
    expect(await stop(chaos, run, second)).toEqual([
      `paused of 101/campaign/${second} "Welcome" (active, ${REWORDED}): it was replaced for its text before`,
    ]);
  });
});

/** A run replaces one version. The service changes the text of the new one later. Is a second replace forbidden? */
async function replacedLater({
  recorded,
  allow,
}: Pick<Process['task'], 'allow'> & { readonly recorded: 'done' | 'unknown' }): Promise<boolean> {
  const chaos = aChaos();
  const run = aProcess(chaos, apply(), TERMS);
  await stop(chaos, run, await create(chaos, run, REWORDED));
  const second = await create(chaos, run, TEXT);
  const lines = [
    { type: 'intent', entry: '1', call: 'create', live_id: null, name: 'Welcome' },
    { type: 'outcome', entry: '1', outcome: recorded, live_id: second },
  ];
  chaos.actor.scene.files.tree[LEDGER_FILE] = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  chaos.clock.move(2_000);
  chaos.simulator.control.editCampaign('101', second, { messages: [{ text: REWORDED }] });
  chaos.clock.move(60_000);
  const found = await stop(chaos, aProcess(chaos, apply(), { ...TERMS, allow }), second);
  return found.some((words) => words.endsWith('it was replaced for its text before'));
}

describe('a second replace for the same reason', () => {
  it('is allowed where a person allows to take over what no line of the ledger calls Herald’s own', async () => {
    expect(await replacedLater({ recorded: 'unknown', allow: ['adopt'] })).toBe(false);
  });

  it('is a forbidden write where a line does, and where no one allowed it', async () => {
    expect(await replacedLater({ recorded: 'done', allow: ['adopt'] })).toBe(true);
    expect(await replacedLater({ recorded: 'unknown', allow: [] })).toBe(true);
  });
});

/** A run pauses the old version, and a person makes another one. Then the run reads the list, perhaps, and goes back. */
async function restored({ reads }: { readonly reads: boolean }): Promise<readonly string[]> {
  const chaos = aChaos();
  const id = await create(chaos, aProcess(chaos, apply(), TERMS), TEXT);
  chaos.clock.move(60_000);
  const run = aProcess(chaos, apply(), TERMS);
  await stop(chaos, run, id);
  chaos.clock.move(500);
  chaos.simulator.control.seedCampaign('101', { name: 'Welcome', messages: [{ text: TEXT }] });
  chaos.clock.move(500);
  if (reads) await request(chaos, run, 'GET', `${CAMPAIGNS}?limit=50&offset=0`);
  const start: Write = { kind: 'status', accountId: '101', of: 'campaign', id, status: 'active' };
  return forbidden(factsAt(chaos, aboutToSend(chaos.simulator, run, start), liveOf(chaos.simulator)));
}

describe('a version that is switched on again', () => {
  it('is a forbidden write next to one that the list shows by then', async () => {
    expect(await restored({ reads: true })).toEqual([expect.stringContaining('runs already')]);
    expect(await restored({ reads: false })).toEqual([]);
  });
});

/** What a run says that created the campaign, with its outcome and the outcomes before. */
function said(chaos: Chaos, process: Process, outcomes: readonly Partial<Outcome>[]): readonly string[] {
  const address = { account: 'alice', kind: 'campaign', name: 'Welcome' } as const;
  const report: ApplyReport = {
    schema: 'herald/apply/1',
    outcomes: outcomes.map((one) => ({
      address,
      action: 'create',
      outcome: 'applied',
      live_id: null,
      message: '',
      ...one,
    })),
    summary: { applied: 0, adopted: 0, unchanged: 0, missed: 0, failed: 0, unknown: 0, not_attempted: 0 },
  };
  const ran = { code: 5, stdout: '', stderr: '' };
  return saidInReport(chaos, { process, ran, report, interrupted: false }, report).filter(
    (words) => !words.startsWith('exit '),
  );
}

describe('a report', () => {
  it('may hold back a second create next to the one that it names', async () => {
    const chaos = aChaos();
    const run = aProcess(chaos, apply(), TERMS);
    const id = await create(chaos, run, TEXT);
    const held = { action: 'blocked', outcome: 'not_attempted', message: 'Not created again' } as const;
    expect(said(chaos, run, [{ live_id: id }, held])).toEqual([]);
    expect(said(chaos, run, [held])).toEqual([
      '"blocked not_attempted" of alice/campaign/Welcome : something was created: Not created again',
    ]);
  });

  it('takes no object for the result of a lost answer where the answer came', async () => {
    const chaos = aChaos();
    const first = aProcess(chaos, apply(), TERMS);
    const id = await create(chaos, first, TEXT);
    first.endedMs = chaos.simulator.control.now();
    const kept = { action: 'keep', outcome: 'adopted', live_id: id } as const;
    expect(said(chaos, aProcess(chaos, apply(), TERMS), [kept])).toEqual([
      `"keep adopted" of alice/campaign/Welcome ${id}: the create that made it was answered`,
    ]);
    for (const write of first.writes) write.answer = 'unconfirmed';
    expect(said(chaos, aProcess(chaos, apply(), TERMS), [kept])).toEqual([]);
  });
});

/** A payout after one without an answer; another person made one of the same amount so long after the first began. */
function payouts(afterMs: number): readonly string[] {
  const chaos = aChaos();
  const { control } = chaos.simulator;
  const asks = { wish: { kind: 'payout', cents: 5_000, sure: [] } } as const;
  const another = () => control.seed({ kind: 'payout_request', account_id: '101', set: { amount: 50 } });
  if (afterMs < 0) another();
  chaos.clock.move(60_000);
  const first = aProcess(chaos, PAY, asks);
  if (afterMs >= 0) {
    chaos.clock.move(afterMs);
    another();
  }
  chaos.clock.move(5_000);
  noteWrite(chaos, first, PAID, 90, 'unconfirmed');
  chaos.clock.move(600_000);
  return moneyTwice(factsAt(chaos, aboutToSend(chaos.simulator, aProcess(chaos, PAY, asks), PAID), []));
}

const PAID: Write = { kind: 'payout', accountId: '101', cents: 5_000 };
const PAY = { kind: 'payout', cents: 5_000, sure: [] } as const;

it('another person’s payout of the same amount, made after the command read its list, explains one without an answer', () => {
  expect(payouts(4_000)).toEqual([]);
  expect(payouts(-1)).toEqual(['a payout was sent 600 s after one of which no answer was heard']);
});
