import type { Aliases } from '../engine/resource.ts';

export const aliases = {
  'cli.approve': '命令行登录 命令行 授权终端 控制台 cli console shell panel-login command-line authorize',
} as const satisfies Aliases;
