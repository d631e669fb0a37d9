import type { Config } from 'tailwindcss';
import plugin from 'tailwindcss/plugin';
import { createProperties, tokens } from './src/lib/ui/tokens.ts';

type TokenName = keyof typeof tokens;
const tokenNames = Object.keys(tokens) as TokenName[];
const isTextColor = (name: TokenName) => name.startsWith('text-');
const cssVariable = (name: TokenName) => `var(--${name})`;

/** Text greys are `text-1` to `text-3`. Other tokens: `bg-<name>`, `text-<name>`, `border-<name>`. */
const colors = Object.fromEntries(tokenNames.filter((name) => !isTextColor(name)).map((name) => [name, cssVariable(name)]));
const textGreys = Object.fromEntries(
  tokenNames.filter(isTextColor).map((name) => [name.slice('text-'.length), cssVariable(name)]),
);

const chineseFonts = ['PingFang SC', 'HarmonyOS Sans SC', 'Microsoft YaHei UI', 'Noto Sans SC', 'Noto Sans CJK SC'];

export default {
  content: [],
  theme: {
    colors: { transparent: 'transparent', current: 'currentColor', ...colors },
    fontFamily: {
      sans: ['Inter Variable', 'system-ui', ...chineseFonts, 'sans-serif'].map((name) =>
        name.includes(' ') ? `"${name}"` : name,
      ),
      mono: ['"JetBrains Mono"', '"SFMono-Regular"', 'Consolas', 'ui-monospace', 'monospace'],
    },
    fontSize: {
      meta: ['0.75rem', '1rem'],
      body: ['0.8125rem', '1.25rem'],
      label: ['0.875rem', '1.25rem'],
      section: ['1rem', '1.5rem'],
      title: ['1.25rem', '1.75rem'],
      figure: ['1.75rem', '2rem'],
    },
    fontWeight: { regular: '400', medium: '500', semibold: '600' },
    borderRadius: { none: '0', chip: '4px', control: '6px', card: '8px', dialog: '12px', full: '9999px' },
    boxShadow: {
      none: 'none',
      menu: '0 0 0 1px var(--hairline), 0 4px 12px rgb(0 0 0 / 0.10), 0 12px 32px rgb(0 0 0 / 0.10)',
      dialog: '0 0 0 1px var(--hairline), 0 16px 64px rgb(0 0 0 / 0.24)',
    },
    transitionDuration: { press: '80ms', menu: '120ms', drawer: '160ms' },
    extend: {
      textColor: textGreys,
      spacing: {
        row: 'var(--row)',
        control: 'var(--control-height)',
        cell: 'var(--cell)',
        bar: '2.75rem',
        thead: '2rem',
        sidebar: '14rem',
        rail: '3.5rem',
        form: '40rem',
      },
    },
  },
  plugins: [
    plugin(({ addBase }) => {
      addBase({
        ':root': { ...createProperties('light'), colorScheme: 'light' },
        ':root[data-theme="dark"]': { ...createProperties('dark'), colorScheme: 'dark' },
        ':root[data-contrast="more"]': createProperties('lightContrast'),
        ':root[data-theme="dark"][data-contrast="more"]': createProperties('darkContrast'),
        ':root, :root[data-density="default"]': { '--row': '2.25rem', '--control-height': '1.75rem', '--cell': '0.75rem' },
        ':root[data-density="compact"]': { '--row': '1.75rem', '--control-height': '1.5rem', '--cell': '0.5rem' },
        ':root[data-density="roomy"]': { '--row': '2.75rem', '--control-height': '2rem', '--cell': '1rem' },
      });
    }),
  ],
} satisfies Config;
