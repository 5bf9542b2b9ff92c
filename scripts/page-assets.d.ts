import type { Plugin } from 'esbuild';

export declare const pageAssets: Plugin;
export declare const pageAssetsInTests: {
  readonly name: string;
  readonly enforce: 'pre';
  resolveId(id: string, importer: string): string | null;
  load(id: string): Promise<string | null>;
};
