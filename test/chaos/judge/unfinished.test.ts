import { expect, it } from 'vitest';
import { campaign, declaring } from '../../helpers/declare-live.ts';
import { aSlot } from '../draw/parts.ts';
import { giveFiles } from '../files.ts';
import { liveOf } from '../live.ts';
import type { Command } from '../shape.ts';
import type { SentWrite } from '../state.ts';
import type { Write } from '../writes.ts';
import { aboutToSend, aChaos, aProcess, noteWrite, request } from './a-chaos.ts';
import { repeats } from './again.ts';
import { factsAt } from './facts.ts';
import { halfDoneUntold } from './half-done.ts';
import { importedTooEarly } from './imported.ts';

const CAMPAIGNS = 'auto-message-campaigns';
const ACCOUNTS = [{ alias: 'alice', accountId: '101' }];
const RAW: Command = { kind: 'api create', slot: 'Welcome', nameless: true };
const DONE = { code: 0, stdout: '', stderr: '' };

/** A create without a name that was carried out, and the next one two minutes later. */
async function nextNameless(first: SentWrite['answer'], words: string): Promise<readonly string[]> {
  const chaos = aChaos();
  const create = (text: string): Write => ({
    kind: 'create',
    accountId: '101',
    of: 'campaign',
    name: '',
    content: { text, sha256: null },
  });
  const process = aProcess(chaos, RAW, {
    wish: { kind: 'create', accountId: '101', of: 'campaign', name: '' },
  });
  const body = {
    messages: [{ text: 'x' }],
    audience_filters: [],
    trigger: 'welcome_message',
    action: 'send_message',
  };
  noteWrite(chaos, process, create('x'), await request(chaos, process, 'POST', CAMPAIGNS, body), first);
  chaos.clock.move(120_000);
  const next = aboutToSend(chaos.simulator, aProcess(chaos, RAW, process.task), create(words));
  return repeats(factsAt(chaos, next, liveOf(chaos.simulator)));
}

it('a nameless create is a duplicate after one of the same words that got no answer and has made something', async () => {
  expect(await nextNameless('unconfirmed', 'x')).toEqual([
    'a create of 101/campaign/ that says x was sent after request 1, which has made the same without an answer',
  ]);
});

it('a nameless create may follow an answered one, and one with other words', async () => {
  expect(await nextNameless('done', 'x')).toEqual([]);
  expect(await nextNameless('unconfirmed', 'y')).toEqual([]);
});

/** A campaign that runs, and a request of the operator to pause it, which is carried out after so many seconds. */
async function pausing({ lateSec }: { readonly lateSec: number | null }) {
  const chaos = aChaos();
  const { id } = chaos.simulator.control.seedCampaign('101', {
    name: 'Welcome',
    messages: [{ text: 'Welcome says 0' }],
  });
  giveFiles(chaos, chaos.actor, chaos.author.write([aSlot('Welcome', { target: 'paused' })]), ACCOUNTS);
  const operation = 'campaigns.set-status';
  if (lateSec !== null)
    chaos.simulator.control.addFault({ kind: 'late_commit', how: 'reset', after_sec: lateSec, operation });
  const process = aProcess(chaos);
  const number = await request(chaos, process, 'PATCH', `${CAMPAIGNS}/${id}/status`, { status: 'paused' });
  const write: Write = { kind: 'status', accountId: '101', of: 'campaign', id, status: 'paused' };
  const sent = noteWrite(chaos, process, write, number, 'unconfirmed');
  chaos.clock.move(20_000);
  chaos.simulator.control.now();
  return { chaos, sent };
}

async function importOf(file: Readonly<Record<string, string>>, lateSec: number): Promise<readonly string[]> {
  const { chaos } = await pausing({ lateSec });
  Object.assign(chaos.actor.scene.files.tree, file);
  const process = aProcess(chaos, { kind: 'import' });
  return importedTooEarly(chaos, { process, ran: DONE, report: null, interrupted: false });
}

const RUNS = declaring({ campaigns: [campaign({ messages: [{ text: 'Welcome says 0' }] })] });

it('an import that declares as running what its ledger is about to pause is a false report', async () => {
  expect(await importOf(RUNS, 60)).toEqual([
    'import wrote alice/campaign/Welcome as active, and 40 s later request 1 (status) of its ledger is carried out',
  ]);
});

it('an import may leave a file as it was, and may write what runs once nothing is on its way', async () => {
  expect(await importOf({}, 60)).toEqual([]);
  expect(await importOf(RUNS, 10)).toEqual([]);
});

it.each(['drift', 'plan --detailed-exitcode'] as const)(
  'exit 0 of %s is a false report until an answer confirms a declared pause',
  async (at) => {
    const { chaos, sent } = await pausing({ lateSec: null });
    const process = aProcess(chaos, { kind: 'look', at });
    const told = (code: number) =>
      halfDoneUntold(chaos, { process, ran: { ...DONE, code }, report: null, interrupted: false });
    expect(told(0)).toEqual([
      expect.stringMatching(/^.*, exit 0, and no answer has confirmed that \S+ is paused$/),
    ]);
    expect(told(2)).toEqual([]);
    sent.answer = 'done';
    expect(told(0)).toEqual([]);
  },
);
