import type { Host } from './host/host.ts';
import { VERSION } from './version.ts';

/** Runs one command line and resolves with its exit code. Never rejects for a user's mistake. */
export async function run(host: Host): Promise<number> {
  const args = host.argv.slice(2);
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    host.stdout.write(`${VERSION}\n`);
    return 0;
  }
  host.keepCompiledCode?.();
  const { runCommandLine } = await import('./commands/index.ts');
  return runCommandLine(args, host);
}
