import { describe, expect, it } from 'vitest';
import { reportOf as countedReport } from '../../../src/apply/merge-reports.ts';
import type { ApplyReport, Outcome } from '../../../src/domain/change.ts';
import type { Declared } from '../declare.ts';
import { apply, aSlot } from '../draw/parts.ts';
import { liveOf } from '../live.ts';
import type { Ended } from '../run.ts';
import type { Command } from '../shape.ts';
import type { Actor, Chaos, Process, SentWrite } from '../state.ts';
import type { ShownPlan, Wish } from '../task.ts';
import type { Write } from '../writes.ts';
import { aboutToSend, aChaos, aProcess, noteWrite, request } from './a-chaos.ts';
import { beyondPlan } from './beyond-plan.ts';
import { factsAt } from './facts.ts';
import { againstHandStop } from './hand-stops.ts';
import { leftByTwo } from './left-by-two.ts';
import { moneyTwice } from './money.ts';
import { saidOfCreates } from './said-of-creates.ts';
import { saidOfKept } from './said-of-kept.ts';
import { saidOfRaw } from './said-of-raw.ts';

const CAMPAIGNS = 'auto-message-campaigns';
const ADDRESS = { account: 'alice', kind: 'campaign', name: 'Welcome' } as const;
const CONTENT = { text: 'Welcome says 1', sha256: null };
const CREATE: Write = {
  kind: 'create',
  accountId: '101',
  of: 'campaign',
  name: 'Welcome',
  content: CONTENT,
};

function welcome(target: Declared['target'] = 'active'): Declared {
  return {
    alias: 'alice',
    accountId: '101',
    kind: 'campaign',
    name: 'Welcome',
    target,
    content: CONTENT,
    protect: false,
    hourMs: null,
    slot: aSlot('Welcome'),
    formerNames: [],
    textBegins: null,
  };
}

function reportOf(outcome: Partial<Outcome>): ApplyReport {
  const whole: Outcome = {
    address: ADDRESS,
    action: 'create',
    outcome: 'applied',
    live_id: null,
    message: '',
    ...outcome,
  };
  return countedReport([whole]);
}

function endedWith(process: Process, code: number, report: ApplyReport | null = null): Ended {
  const stdout = report === null ? '' : JSON.stringify(report);
  return { process, ran: { code, stdout, stderr: '' }, report, interrupted: false };
}

/** A run creates the campaign; answers its id. */
async function create(chaos: Chaos, process: Process, answer: SentWrite['answer'] = 'done'): Promise<string> {
  const number = await request(chaos, process, 'POST', CAMPAIGNS, {
    name: 'Welcome',
    trigger: 'welcome_message',
    action: 'send_message',
    audience_filters: [],
    messages: [{ text: CONTENT.text }],
  });
  noteWrite(chaos, process, CREATE, number, answer);
  return liveOf(chaos.simulator).find(({ madeBy }) => madeBy === number)?.id ?? '';
}

function status(id: string, asked: string): Write {
  return { kind: 'status', accountId: '101', of: 'campaign', id, status: asked };
}

function factsOf(chaos: Chaos, process: Process, write: Write) {
  return factsAt(chaos, aboutToSend(chaos.simulator, process, write), liveOf(chaos.simulator));
}

describe('a create of an apply', () => {
  async function said(outcome: Outcome['outcome'], answer: SentWrite['answer']) {
    const chaos = aChaos();
    const process = aProcess(chaos);
    const id = await create(chaos, process, answer);
    const report = reportOf({ outcome, live_id: id });
    return saidOfCreates(chaos, endedWith(process, 0, report), report);
  }

  it('that was answered is applied, and not adopted', async () => {
    expect(await said('applied', 'done')).toEqual([]);
    expect((await said('adopted', 'done'))[0]).toContain('its create, request 1, was answered');
  });

  it('that got no answer is adopted, and not applied', async () => {
    expect(await said('adopted', 'unconfirmed')).toEqual([]);
    expect((await said('applied', 'unconfirmed'))[0]).toContain('its create, request 1, got no answer');
  });

  it('is not applied if another run has made the object', async () => {
    const chaos = aChaos();
    const id = await create(chaos, aProcess(chaos));
    const report = reportOf({ live_id: id });
    expect(saidOfCreates(chaos, endedWith(aProcess(chaos), 0, report), report)[0]).toContain(
      'no create of this run made it',
    );
  });
});

describe('what a run leaves as it is', () => {
  function kept(chaos: Chaos, target: Declared['target'], outcome: Partial<Outcome>, wish: Wish = null) {
    chaos.clock.move(60_000);
    const process = aProcess(chaos, apply(), { declared: [welcome(target)], wish });
    const report = reportOf({ action: 'keep', outcome: 'unchanged', ...outcome });
    return saidOfKept(chaos, endedWith(process, 0, report), report);
  }

  it('is not unchanged if it is declared archived and only paused', async () => {
    const chaos = aChaos();
    const id = await create(chaos, aProcess(chaos));
    chaos.simulator.control.editCampaign('101', id, { status: 'paused' });
    chaos.processes.splice(0);
    expect(kept(chaos, 'archived', { live_id: id })[0]).toContain('only paused');
    expect(kept(chaos, 'paused', { live_id: id })).toEqual([]);
  });

  it('is not missed if an answered create has made it', async () => {
    const chaos = aChaos();
    const maker = aProcess(chaos);
    await create(chaos, maker);
    maker.endedMs = chaos.simulator.control.now();
    expect(kept(chaos, 'active', { action: 'missed', outcome: 'missed' })[0]).toContain('is active');
  });

  it('is not stopped by hand already if it runs', async () => {
    const chaos = aChaos();
    const id = await create(chaos, aProcess(chaos));
    chaos.processes.splice(0);
    const wish = { kind: 'status', key: `101/campaign/${id}`, status: 'paused' } as const;
    expect(kept(chaos, 'active', { live_id: id }, wish)[0]).toContain(
      'paused was asked for, and it is active',
    );
  });
});

describe('a raw call', () => {
  const PAYOUT: Write = { kind: 'payout', accountId: '101', cents: 5000 };
  const CHAT: Write = { kind: 'chat', accountId: '101', chat: '101001', text: 'Chat 1' };
  const RAW: readonly [string, Command, Write, Wish][] = [
    ['payout', { kind: 'api payout', cents: 5000 }, PAYOUT, { kind: 'payout', cents: 5000, sure: [] }],
    ['message', { kind: 'api chat', words: 1 }, CHAT, { kind: 'chat', text: 'Chat 1', sure: [] }],
  ];

  it.each(RAW)('counts as one %s, and a second one is sent twice', (_, command, write, wish) => {
    const chaos = aChaos();
    const process = aProcess(chaos, command, { wish });
    expect(moneyTwice(factsOf(chaos, process, write))).toEqual([]);
    noteWrite(chaos, process, write, 1, 'unconfirmed');
    expect(moneyTwice(factsOf(chaos, process, write))[0]).toContain('was sent twice by one command');
  });

  it.each(RAW)('without an answer is in the way of another %s', (_, command, write, wish) => {
    const chaos = aChaos();
    noteWrite(chaos, aProcess(chaos, command, { wish }), write, 1, 'unconfirmed');
    const next = aProcess(chaos, command, { wish });
    expect(moneyTwice(factsOf(chaos, next, write))[0]).toContain('of which no answer was heard');
  });

  it.each(RAW)('that was answered as a %s is done', (_, command, write, wish) => {
    const chaos = aChaos();
    const process = aProcess(chaos, command, { wish });
    noteWrite(chaos, process, write, 1, 'done');
    expect(saidOfRaw(chaos, endedWith(process, 0))).toEqual([]);
    expect(saidOfRaw(chaos, endedWith(process, 1))[0]).toContain('it was answered with success');
    expect(saidOfRaw(chaos, endedWith(process, 3))[0]).toContain('each of its requests was answered');
  });

  it('that stops something next to a run counts as the stop of a person', async () => {
    const chaos = aChaos();
    const id = await create(chaos, aProcess(chaos));
    const run = aProcess(chaos, apply(), { declared: [welcome()] });
    chaos.clock.move(10_000);
    const raw = aProcess(chaos, { kind: 'api change', slot: 'Welcome', verb: 'pause' });
    noteWrite(chaos, raw, status(id, 'paused'), 99, 'done');
    chaos.clock.move(5_000);
    expect(againstHandStop(factsOf(chaos, run, status(id, 'active')))[0]).toContain(
      'stopped by hand 5 s before',
    );
  });
});

describe('an apply of a saved plan', () => {
  async function written(steps: ShownPlan['changes'][number]['steps'], write: 'a create' | 'a stop') {
    const chaos = aChaos();
    const id = await create(chaos, aProcess(chaos));
    chaos.clock.move(60_000);
    const created_at = new Date(chaos.simulator.control.now()).toISOString();
    const change = {
      address: ADDRESS,
      action: 'pause',
      live_id: id,
      reasons: [],
      fields: [],
      dropped: [],
      steps: steps.map((step) => ({ ...step, live_id: step.kind === 'create' ? null : id })),
      needs: [],
      reversible: true,
      undo: '',
    } as ShownPlan['changes'][number];
    const shown = () => ({ created_at, changes: [change] });
    const process = aProcess(chaos, apply({ saved: true }), { declared: [welcome()], shown });
    return beyondPlan(factsOf(chaos, process, write === 'a create' ? CREATE : status(id, 'paused')));
  }

  it('creates nothing that the plan did not show', async () => {
    expect(await written([{ kind: 'create', live_id: null }], 'a create')).toEqual([]);
    expect((await written([{ kind: 'pause', live_id: '' }], 'a create'))[0]).toContain('does not show');
  });

  it('changes no object that the plan did not show', async () => {
    expect(await written([{ kind: 'pause', live_id: '' }], 'a stop')).toEqual([]);
    expect((await written([{ kind: 'create', live_id: null }], 'a stop'))[0]).toContain('does not show');
  });
});

describe('two operators who make the same at one time', () => {
  /** Both create it; what they say when they have ended, one after the other. */
  async function twoRuns(
    stop: 'none' | 'of the second',
    names: 'nothing' | 'the other one',
    afterMs = 5_000,
  ) {
    const one = aChaos();
    const bo: Actor = { ...one.actor, place: 1, name: 'bo' };
    const chaos: Chaos = { ...one, actors: [one.actor, bo] };
    const first = aProcess(chaos, apply(), { declared: [welcome()] });
    const second: Process = { ...first, actor: bo, requests: new Set(), writes: [] };
    chaos.processes.push(second);
    const ids = [await create(chaos, first), await create(chaos, second)] as const;
    if (stop === 'of the second') chaos.simulator.control.editCampaign('101', ids[1], { status: 'paused' });
    chaos.clock.move(afterMs);
    const found: string[] = [];
    for (const [place, process] of [first, second].entries()) {
      process.endedMs = chaos.simulator.control.now();
      const message = names === 'nothing' ? '' : `also live: ${ids[1 - place] ?? ''}`;
      const report = reportOf({ live_id: ids[place] ?? null, message });
      found.push(...leftByTwo(chaos, endedWith(process, 0, report)));
    }
    return found;
  }

  it('leave no second copy that no report names', async () => {
    expect(await twoRuns('none', 'nothing')).toHaveLength(1);
    expect((await twoRuns('none', 'nothing'))[0]).toContain(
      'no report tells that 101/campaign/Welcome is live twice',
    );
  });

  it('may leave it if one of them names it, and may stop it', async () => {
    expect(await twoRuns('none', 'the other one')).toEqual([]);
    expect(await twoRuns('of the second', 'nothing')).toEqual([]);
  });

  it('may leave what no list can have shown before their last look', async () => {
    expect(await twoRuns('none', 'nothing', 0)).toEqual([]);
  });
});
