import type { Host } from './host/host.ts';
import { VERSION } from './version.ts';

/** Runs one command line and resolves with its exit code. Never rejects for a user's mistake. */
export async function run(host: Host): Promise<number> {
  const args = host.argv.slice(2);
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    host.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (!hasDirectory(host)) {
    host.stderr.write(
      'error: This folder does not exist any more. Nothing was done.\nGo to another one: cd ..\n',
    );
    return 1;
  }
  const { runCommandLine } = await import('./commands/index.ts');
  return runCommandLine(args, host);
}

/** Another process may have removed the folder of this one. */
function hasDirectory(host: Host): boolean {
  try {
    return host.cwd() !== '';
  } catch {
    return false;
  }
}
