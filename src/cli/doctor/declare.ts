import type { Command } from 'commander';
import { sub, type Act } from '../sub.ts';

/** Declares `herald doctor`. */
export function declareDoctor(program: Command, act: Act): void {
  sub(program, 'doctor', 'check key, permissions, accounts, clock, proxy and state; sends only reads', [
    'herald doctor',
    'herald doctor --format json',
  ]).action((_flags: unknown, command: Command) =>
    act(command, async (context) => (await import('./command.ts')).doctorCommand(context)),
  );
}
