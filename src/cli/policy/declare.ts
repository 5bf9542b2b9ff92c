import type { Command } from 'commander';
import { group, sub, type Act } from '../sub.ts';

/** What the workspace's policy says about its files. */
export function declarePolicy(program: Command, act: Act): void {
  const policy = group(program, 'policy', 'the rules of the workspace');
  sub(policy, 'test', 'show every rule and what fires on the files; needs no network and no key', [
    'herald policy test',
    'herald policy test --format json',
  ]).action((_flags: unknown, command: Command) =>
    act(command, async (context) => (await import('./test.ts')).policyTestCommand(context)),
  );
}
