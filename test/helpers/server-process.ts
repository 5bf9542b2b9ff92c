import { execFileSync, type ChildProcess } from 'node:child_process';

/** As whom a server runs: PostgreSQL and PgBouncer refuse to run as root. Debian's packages have made the user. */
export function asServerUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Resolves once the process has said these words on stderr. Rejects with all that it said if it ends before. */
export function untilSaid(server: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stderr?.on('data', (text: Buffer) => {
      said += String(text);
      if (said.includes(words)) resolve();
    });
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`the server ended with ${code ?? 'a signal'}: ${said}`)));
  });
}

/** Resolves once the process has ended, with whatever code. */
export function gone(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
}

/** Resolves once the process has ended well. Rejects with what it said if it failed. */
export async function endOf(child: ChildProcess, name: string): Promise<void> {
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => (said += String(text)));
  await gone(child);
  if (child.exitCode !== 0) throw new Error(`${name} failed: ${said}`);
}
