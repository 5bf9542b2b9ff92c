import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Oracle } from '../src/simulator/control.ts';

/** The simulator in another process. */
export interface Service {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** What really happened there so far. */
  oracle(): Promise<Oracle>;
  stop(): void;
}

export async function startService(
  accounts: number,
  campaignsEach = 0,
  size: 'usual' | 'short' = 'usual',
  rates: 'published' | 'none' = 'published',
): Promise<Service> {
  const numbers = [String(accounts), String(campaignsEach)];
  const args = ['scripts/run.js', 'bench/service-server.ts', ...numbers, size, rates];
  const server = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [said] = (await once(server.stdout, 'data')) as [Buffer];
  const url = String(said).trim();
  return {
    url,
    env: { HERALD_BASE_URL: url, HERALD_API_KEY: 'sim-key' },
    oracle: async () => (await (await fetch(`${url}/__sim/oracle`)).json()) as Oracle,
    stop: () => server.stdin.end(),
  };
}
