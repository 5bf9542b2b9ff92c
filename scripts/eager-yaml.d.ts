import type { Plugin } from 'esbuild';

export declare const eagerYaml: Plugin;
export declare const eagerYamlInTests: {
  readonly name: string;
  readonly enforce: 'pre';
  resolveId(id: string): string | null;
  transform(code: string, id: string): string | null;
};
/** Turns the generators of yaml's lexer or parser into methods. */
export declare function toEager(source: string): string;
