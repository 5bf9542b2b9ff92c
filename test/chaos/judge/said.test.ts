import { describe, expect, it } from 'vitest';
import { reportOf } from '../../../src/apply/merge-reports.ts';
import type { ApplyReport, Outcome } from '../../../src/domain/change.ts';
import type { Declared } from '../declare.ts';
import { apply, aSlot } from '../draw/parts.ts';
import { liveOf } from '../live.ts';
import type { Ended } from '../run.ts';
import type { Command } from '../shape.ts';
import type { Chaos, Process, SentWrite } from '../state.ts';
import { aChaos, aProcess, noteWrite, request } from './a-chaos.ts';
import { saidOfAnswers } from './said-of-answers.ts';
import { saidOfBlocks } from './said-of-blocks.ts';
import { saidOfLooks } from './said-of-looks.ts';
import { saidOfRaw } from './said-of-raw.ts';

const CAMPAIGNS = 'auto-message-campaigns';
const TEXT = 'Welcome says 1';

function welcome(target: Declared['target'], text = TEXT): Declared {
  return {
    alias: 'alice',
    accountId: '101',
    kind: 'campaign',
    name: 'Welcome',
    target,
    content: { text, sha256: null },
    protect: false,
    hourMs: null,
    slot: aSlot('Welcome'),
    formerNames: [],
    textBegins: null,
  };
}

function seed({ simulator: { control } }: Chaos, text = TEXT): string {
  return control.seedCampaign('101', { name: 'Welcome', messages: [{ text }] }).id;
}

function ended(process: Process, code: number, report: ApplyReport | null = null): Ended {
  return { process, ran: { code, stdout: '', stderr: '' }, report, interrupted: false };
}

function aReport(outcome: Partial<Outcome>): ApplyReport {
  const address = { account: 'alice', kind: 'campaign', name: 'Welcome' } as const;
  const whole: Outcome = {
    address,
    action: 'pause',
    outcome: 'applied',
    live_id: null,
    message: '',
    ...outcome,
  };
  return reportOf([whole]);
}

/** A run sets a status, and is answered or not. */
async function setBy(
  chaos: Chaos,
  process: Process,
  id: string,
  status: 'paused' | 'archived',
  answer: SentWrite['answer'] = 'done',
): Promise<void> {
  const number = await request(chaos, process, 'PATCH', `${CAMPAIGNS}/${id}/status`, { status });
  noteWrite(chaos, process, { kind: 'status', accountId: '101', of: 'campaign', id, status }, number, answer);
}

describe('"nothing to do" of a drift', () => {
  const DRIFT: Command = { kind: 'look', at: 'drift' };

  async function drift(target: Declared['target'], texts: readonly string[], isLost = false) {
    const chaos = aChaos();
    chaos.actor.declared = [welcome(target)];
    for (const text of texts) seed(chaos, text);
    chaos.clock.move(60_000);
    if (isLost)
      chaos.simulator.control.addFault({ kind: 'empty_page', operation: 'campaigns.list', nth: 1, times: 1 });
    const process = aProcess(chaos, DRIFT);
    await request(chaos, process, 'GET', CAMPAIGNS);
    return (code: number) => saidOfLooks(chaos, ended(process, code));
  }

  it('is false if what is declared is not live', async () => {
    expect((await drift('active', []))(0)).toEqual([
      'drift, exit 0, and alice/campaign/Welcome is not live as it is declared',
    ]);
  });

  it('is false if it is live with other words, or twice', async () => {
    expect((await drift('active', ['Welcome says 2']))(0)).toHaveLength(1);
    expect((await drift('active', [TEXT, TEXT]))(0)[0]).toContain('is live 2 times');
  });

  it('is false if what is declared paused runs', async () => {
    expect((await drift('paused', [TEXT]))(0)[0]).toContain('is declared paused, and 101/campaign/');
  });

  it('is true if everything is live as declared', async () => {
    expect((await drift('active', [TEXT]))(0)).toEqual([]);
    expect((await drift('paused', []))(0)).toEqual([]);
  });

  it('is not judged after a fault on a list, and neither is another exit code', async () => {
    expect((await drift('active', [], true))(0)).toEqual([]);
    expect((await drift('active', []))(2)).toEqual([]);
  });
});

describe('a change that needs --allow resume', () => {
  const BLOCKED = aReport({ action: 'blocked', outcome: 'not_attempted', needs: ['resume'] });

  async function blocked(stop: 'by an apply' | 'by a person' | 'unanswered'): Promise<readonly string[]> {
    const chaos = aChaos();
    const first = aProcess(chaos, apply(), { declared: [welcome('active')] });
    const body = {
      name: 'Welcome',
      trigger: 'welcome_message',
      action: 'send_message',
      audience_filters: [],
      messages: [{ text: TEXT }],
    };
    const create = await request(chaos, first, 'POST', CAMPAIGNS, body);
    const { content } = welcome('active');
    noteWrite(
      chaos,
      first,
      { kind: 'create', accountId: '101', of: 'campaign', name: 'Welcome', content },
      create,
      'done',
    );
    const id = liveOf(chaos.simulator)[0]?.id ?? '';
    if (stop === 'by a person') chaos.simulator.control.editCampaign('101', id, { status: 'paused' });
    else await setBy(chaos, first, id, 'paused', stop === 'unanswered' ? 'unconfirmed' : 'done');
    return saidOfBlocks(chaos, ended(aProcess(chaos), 5, BLOCKED));
  }

  it('is a false report if only applies have ever stopped it', async () => {
    expect((await blocked('by an apply'))[0]).toContain('no person has ever stopped it');
  });

  it('may be true after a stop of a person, or one that no answer confirmed', async () => {
    expect(await blocked('by a person')).toEqual([]);
    expect(await blocked('unanswered')).toEqual([]);
  });
});

describe('a status change of an apply', () => {
  async function paused(
    outcome: Outcome['outcome'],
    answer: SentWrite['answer'],
  ): Promise<readonly string[]> {
    const chaos = aChaos();
    const id = seed(chaos);
    const process = aProcess(chaos, apply(), { declared: [welcome('paused')] });
    await setBy(chaos, process, id, 'paused', answer);
    const report = aReport({ action: 'pause', outcome, live_id: id });
    return saidOfAnswers(chaos, ended(process, 3, report), report);
  }

  it('is neither unknown nor failed if it was answered and holds', async () => {
    expect((await paused('unknown', 'done'))[0]).toContain('its request 1 was answered, and it is paused');
    expect((await paused('failed', 'done'))[0]).toContain('its request 1 was answered, and it is paused');
  });

  it('may be unknown without an answer', async () => {
    expect(await paused('unknown', 'unconfirmed')).toEqual([]);
  });

  it('is not unknown if it was refused and nothing else is open', async () => {
    expect((await paused('unknown', 'refused'))[0]).toContain('each of its requests was answered');
  });
});

describe('"nothing to do" about what is declared paused', () => {
  function kept(afterMs: number): readonly string[] {
    const chaos = aChaos();
    const id = seed(chaos);
    chaos.clock.move(afterMs);
    const process = aProcess(chaos, apply(), { declared: [welcome('paused')] });
    const report = aReport({ action: 'keep', outcome: 'unchanged', live_id: id });
    return saidOfAnswers(chaos, ended(process, 0, report), report);
  }

  it('is false if lists have shown for long enough that it runs', () => {
    expect(kept(60_000)[0]).toContain('it is declared paused, and ');
    expect(kept(2_000)).toEqual([]);
  });
});

describe('a raw create', () => {
  const CREATE: Command = { kind: 'api create', slot: 'Welcome' };

  function raw(code: number, answer: SentWrite['answer']): readonly string[] {
    const chaos = aChaos();
    const process = aProcess(chaos, CREATE, {
      wish: { kind: 'create', accountId: '101', of: 'campaign', name: 'Welcome' },
    });
    const { content } = welcome('active');
    noteWrite(
      chaos,
      process,
      { kind: 'create', accountId: '101', of: 'campaign', name: 'Welcome', content },
      1,
      answer,
    );
    return saidOfRaw(chaos, ended(process, code));
  }

  it('that was answered with success has not failed, and its outcome is known', () => {
    expect(raw(0, 'done')).toEqual([]);
    expect(raw(1, 'done')).toEqual(['raw create, exit 1: it was answered with success']);
    expect(raw(3, 'done')).toEqual(['raw create, exit 3: each of its requests was answered']);
  });

  it('that was refused has failed', () => {
    expect(raw(1, 'refused')).toEqual([]);
    expect(raw(0, 'refused')).toEqual(['raw create, exit 0: none of its requests was answered with success']);
  });

  it('without an answer is neither', () => {
    expect(raw(3, 'unconfirmed')).toEqual([]);
    expect(raw(0, 'unconfirmed')).toEqual([
      'raw create, exit 0: none of its requests was answered with success',
    ]);
  });
});
