import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { expect, it } from 'vitest';
import { LONGEST, PROPERTIES, SMOKE, SYSTEM } from './projects.ts';

/** Imports of what starts a process, or stays on the clock of the machine. */
const SLOW =
  /from '(?:node:child_process|[./]+\/(?:helpers\/)?(?:herald-here|real-herald|served|start-process|terminal)\.ts)'/;

/** What looks at the clock of the machine itself, and waits for a few milliseconds. */
const OF_THE_CLOCK = ['test/host/clock.test.ts', 'test/host/files.test.ts'];
const WAITS = /\bsystemClock\b|setTimeout as \w+ \} from 'node:timers/;

const fast = globSync('test/**/*.test.ts', { ignore: [...SMOKE, ...SYSTEM, ...PROPERTIES] });

it('fast tests start no process and wait for nothing in real time', () => {
  expect(fast.length).toBeGreaterThan(100);
  const slow = fast.filter((path) => {
    const text = readFileSync(path, 'utf8');
    return SLOW.test(text) || (WAITS.test(text) && !OF_THE_CLOCK.includes(path));
  });
  expect(slow, 'they belong to SYSTEM in test/projects.ts').toEqual([]);
});

it('every list names files that are there', () => {
  for (const pattern of [...SMOKE, ...SYSTEM, ...PROPERTIES, ...LONGEST])
    expect(globSync(pattern), pattern).not.toEqual([]);
});
