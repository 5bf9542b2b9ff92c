import { detectJob } from '../../provider/detect-job.ts';
import type { WebFetch } from '../../domain/ports.ts';
import type { Job, ProviderName } from '../../provider/job.ts';
import type { Provider } from '../../provider/provider.ts';
import { VERSION } from '../../version.ts';
import type { Context } from '../context.ts';

/** The job that this command runs in. `asked` is the value of `--provider`. */
export function jobOf({ env, typed }: Pick<Context, 'env' | 'typed'>, asked?: ProviderName): Promise<Job> {
  return detectJob({ env, readText: (path) => typed.files.readText(path) }, asked);
}

/** The provider of a job, with the token of the environment. Null for `generic`. */
export async function providerOf(
  { env, clock, output }: Pick<Context, 'env' | 'clock' | 'output'>,
  job: Job,
): Promise<Provider | null> {
  const [{ connectProvider }, { createWebFetch }] = await Promise.all([
    import('../../provider/connect.ts'),
    import('../../api/transport.ts'),
  ]);
  const fetch = createWebFetch();
  // Comments, statuses and issues are for everyone who reads the repository.
  const withoutSecrets: WebFetch = (url, init) =>
    fetch(url, typeof init.body === 'string' ? { ...init, body: output.masked(init.body) } : init);
  return connectProvider(job, { env, clock, fetch: withoutSecrets, userAgent: `herald/${VERSION}` });
}
