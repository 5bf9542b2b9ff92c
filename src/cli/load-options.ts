import { LocalMedia } from '../operations/upload/local-media.ts';
import type { LoadOptions } from '../workspace/load.ts';
import type { Context } from './context.ts';

/** What loading the files of a workspace needs where nothing is compared: what media files hold is not asked. */
export function loadOptions(context: Pick<Context, 'bytes' | 'env' | 'interrupted'>): LoadOptions {
  const { env, bytes, interrupted } = context;
  const media = new LocalMedia(bytes, interrupted, 'qualify');
  return { env, media: (path) => media.examine(path) };
}
