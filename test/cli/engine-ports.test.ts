import { expect, it } from 'vitest';
import type { Context } from '../../src/cli/context.ts';
import { workspacePorts } from '../../src/cli/engine-ports.ts';
import type { RunEvent } from '../../src/engine/run.ts';
import { aChange } from '../helpers/plan-builders.ts';

/** What a person reads of an event. */
function reported(event: RunEvent): string {
  const lines: string[] = [];
  const keep = (line: string) => void lines.push(line);
  const output = { say: keep, fail: keep, progress: () => undefined };
  workspacePorts({ output, flags: {}, env: {} } as unknown as Context).report(event);
  return lines.join('\n');
}

const change = aChange({ action: 'pause', name: 'Welcome' });

it.each<[RunEvent, string]>([
  [
    { kind: 'stopped-early', result: { change, outcome: 'applied', liveId: '7', reasons: [] } },
    'Sent while waiting: pause alice/campaign/Welcome (7): applied',
  ],
  [{ kind: 'bug', error: new Error('a bug') }, 'Error: a bug'],
  [
    { kind: 'unverified', error: new Error('no answer') },
    'warning: not-verified: The result could not be verified: no answer. Run herald plan later.',
  ],
])('an event of a run is a line for people: %#', (event, line) => {
  expect(reported(event)).toContain(line);
});
