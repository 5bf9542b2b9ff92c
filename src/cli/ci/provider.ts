import { detectJob } from '../../provider/detect-job.ts';
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
  { env, clock }: Pick<Context, 'env' | 'clock'>,
  job: Job,
): Promise<Provider | null> {
  const [{ connectProvider }, { createWebFetch }] = await Promise.all([
    import('../../provider/connect.ts'),
    import('../../api/web-fetch.ts'),
  ]);
  return connectProvider(job, { env, clock, fetch: createWebFetch(), userAgent: `herald/${VERSION}` });
}
