import { describe, expect, it } from 'vitest';
import { withState } from '../../src/library/state-access.ts';
import { State } from '../../src/state/state.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { builtHerald } from '../helpers/real-herald.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { aRun } from '../helpers/state-requests.ts';
import { atTerminal, type AtTerminal, type Step } from '../helpers/terminal.ts';

const herald = builtHerald();

const APPLY = { args: ['apply'], prompt: 'Type 1 to apply 1 change: ', yes: '1' };
const PAYOUT = {
  args: ['payouts', 'request', '--account', 'alice', '--amount', '20'],
  prompt: 'Type 20.00 to send it: ',
  yes: '20.00',
};
const TRUST = { args: ['plan'], prompt: 'Type yes to trust this address: ', yes: 'yes' };
const ELSEWHERE = { base_url: 'https://service.example' };
/** Nothing goes out: no proxy listens on this port. */
const NO_NETWORK = { HTTPS_PROXY: 'http://127.0.0.1:1' };

interface Asking {
  readonly args: readonly string[];
  readonly prompt: string;
}

/** Runs a command that asks, and types the keys once the answer can be typed. */
async function answering({ args, prompt }: Asking, keys: string, run: Partial<AtTerminal> = {}) {
  const isTrust = prompt === TRUST.prompt;
  const directory = herald.workspace({
    'herald.yaml': isTrust ? WORKSPACE.replace(/\{ simulator: .* \}/, JSON.stringify(ELSEWHERE)) : WORKSPACE,
    ...declaring({ campaigns: [campaign({ name: 'Welcome' })] }),
  });
  const seen = await atTerminal({
    directory,
    command: [process.execPath, herald.cli, ...args],
    steps: [{ text: prompt, act: ({ type }) => type(keys) }],
    env: { HERALD_API_KEY: 'key', XDG_CONFIG_HOME: `${directory}/config`, ...NO_NETWORK },
    ...run,
  });
  return { ...seen, directory };
}

describe('at a terminal', () => {
  it.each([
    [APPLY, '1 applied.'],
    [PAYOUT, 'was requested: invoice inv-9101-0001'],
    [TRUST, 'Saved in '],
  ])('$args is confirmed by what it wants, typed', async (asking, done) => {
    const { shown, settings } = await answering(asking, `${asking.yes}\r`);
    expect(shown).toContain(done);
    expect(settings[1]).toBe(settings[0]);
  });

  it('an apply is not confirmed by what was typed before', async () => {
    const { prompt, yes } = APPLY;
    const { code, shown } = await answering(APPLY, '', {
      early: `${yes}\r${yes}`,
      steps: [
        // The question is there, and not yet the line for the answer.
        { text: '?', act: ({ type }) => type(`${yes}\r${yes}`) },
        { text: prompt, act: ({ type }) => type('\r') },
      ],
    });
    expect(code, shown).toBe(1);
    expect(shown).not.toContain('applied.');
  });

  it.each<[string, Step['act']]>([
    ['Ctrl-C', ({ type }) => type('\u0003')],
    ['Ctrl-D', ({ type }) => type('\u0004')],
    ['SIGHUP', ({ kill }) => kill('SIGHUP')],
    ['SIGTERM', ({ kill }) => kill('SIGTERM')],
    ['SIGINT', ({ kill }) => kill('SIGINT')],
  ])('%s at a question locks nothing, and leaves the terminal as it was found', async (_what, act) => {
    const { code, shown, settings, directory } = await answering(APPLY, '', {
      steps: [{ text: APPLY.prompt, act }],
    });
    expect([code, shown]).toEqual([130, expect.stringContaining('Interrupted; nothing was sent.')]);
    expect(settings[1]).toBe(settings[0]);
    const opened = State.openToRead(aRun({ kind: 'sqlite', directory }));
    expect(await withState(opened, (state) => state.leaseRecord())).toBeNull();
  });
});
