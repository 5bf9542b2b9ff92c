import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { builtHerald, type RealHerald } from '../helpers/real-herald.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { atTerminal, type AtTerminal } from '../helpers/terminal.ts';

let herald: RealHerald;
beforeAll(() => {
  herald = builtHerald();
});
afterAll(() => herald.dispose());

const COLOUR = /\u001b\[[\d;]*m/;

function applying(run: Partial<AtTerminal> = {}) {
  const directory = herald.workspace({
    'herald.yaml': WORKSPACE,
    ...declaring({ campaigns: [campaign({ name: 'Welcome' })] }),
  });
  const no: AtTerminal['once'] = { text: '● No', act: ({ type }) => type('n') };
  return atTerminal({ cli: herald.cli, directory, args: ['apply'], columns: 80, once: no, ...run });
}

describe('at a terminal', () => {
  it('a question has colour', async () => {
    const { code, shown } = await applying({ once: { text: 'Yes', act: ({ type }) => type('n') } });
    expect(code).toBe(1);
    expect(shown).toMatch(COLOUR);
  });

  it.each([
    ['--no-color', { args: ['apply', '--no-color'] }],
    ['NO_COLOR', { env: { NO_COLOR: '1' } }],
  ])('%s leaves the question and the result without colour', async (_what, run) => {
    const answered = await applying(run);
    expect(answered.shown).toContain('Apply 1 to create on 1 account at simulator .herald/world.json?');
    expect(answered.shown).not.toMatch(COLOUR);
    const left = await applying({ ...run, once: { text: '● No', act: ({ type }) => type('\u0003') } });
    expect(left.code).toBe(130);
    expect(left.shown).not.toMatch(COLOUR);
  });

  it.each([0, 1])('that says it has %i columns the question stands on its line', async (columns) => {
    const { shown } = await applying({ columns, args: ['apply', '--no-color'] });
    expect(shown.replaceAll(/\s+│?\s*/g, ' ')).toContain('Apply 1 to create on 1 account at simulator');
    expect(shown).toContain('"Welcome"');
  });

  it.each(['SIGHUP', 'SIGTERM', 'SIGINT'] as const)(
    '%s at a question leaves the terminal as it was found',
    async (signal) => {
      const { code, shown, settings } = await applying({
        args: ['apply', '--no-color'],
        once: { text: '● No', act: ({ kill }) => kill(signal) },
      });
      expect(code, shown).toBe(130);
      expect(settings[1]).toBe(settings[0]);
      expect(shown.lastIndexOf('\u001b[?25h'), 'the cursor is shown again').toBeGreaterThan(
        shown.lastIndexOf('\u001b[?25l'),
      );
    },
  );
});
