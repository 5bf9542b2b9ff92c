import type { Command } from 'commander';
import { group, sub, type Act } from '../sub.ts';

/** Declares `herald policy`. */
export function declarePolicy(program: Command, act: Act): void {
  const policy = group(program, 'policy', 'check the policy rules of the workspace');
  sub(policy, 'test', 'show all rules and the resources that break them; works offline', [
    'herald policy test',
    'herald policy test --format json',
  ]).action((_flags: unknown, command: Command) =>
    act(command, async (context) => (await import('./test.ts')).policyTestCommand(context)),
  );
}
