import { useStore } from '@nanostores/react';
import type { CommandId } from '../../../api/names.ts';
import { $keymap, keysOf } from '../../commands/app/keymap.ts';
import type { Block, HelpPage, Inline, Line } from '../../lib/help/page.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Kbd } from '../../lib/ui/value/kbd.tsx';
import { Link } from 'wouter';

const linkClass = 'text-accent-text underline underline-offset-2';

export function Article({ page: { title, intro, sections } }: { page: HelpPage }) {
  useStore($keymap);
  return (
    <article className="max-w-160 text-label">
      <h1 className="pb-3 text-title font-semibold">{title}</h1>
      <Blocks blocks={intro} />
      {sections.length > 1 && (
        <nav aria-label={t('help.onPage')} className="pb-2 print:hidden">
          <ul className="flex flex-wrap gap-x-4 gap-y-1">
            {sections.map((section) => (
              <li key={section.id}>
                <a href={`#${section.id}`} className={`inline-flex min-h-6 items-center ${linkClass}`}>
                  {section.title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {sections.map((section) => (
        <section key={section.id} className="py-3">
          <h2 id={section.id} tabIndex={-1} className="scroll-mt-4 pb-2 text-section font-semibold">
            {section.title}
          </h2>
          <Blocks blocks={section.blocks} />
        </section>
      ))}
    </article>
  );
}

const Blocks = ({ blocks }: { blocks: readonly Block[] }) =>
  blocks.map((block, index) => <ArticleBlock key={index} block={block} />);

function ArticleBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case 'text':
      return (
        <p className="pb-3">
          <InlineTexts line={block.line} />
        </p>
      );
    case 'note':
      return (
        <p className="mb-3 rounded-control bg-layer px-3 py-2">
          <InlineTexts line={block.line} />
        </p>
      );
    case 'steps':
      return (
        <ol className="list-decimal ps-6 pb-3 marker:text-2">
          <ListItems lines={block.lines} />
        </ol>
      );
    case 'points':
      return (
        <ul className="list-disc ps-6 pb-3 marker:text-2">
          <ListItems lines={block.lines} />
        </ul>
      );
    case 'table':
      return <Table {...block} />;
  }
}

const ListItems = ({ lines }: { lines: readonly Line[] }) =>
  lines.map((line, index) => (
    <li key={index} className="py-0.5 ps-1">
      <InlineTexts line={line} />
    </li>
  ));

function Table({ head: headerCells, rows }: Extract<Block, { kind: 'table' }>) {
  return (
    <table className="mb-3 w-full border-collapse text-body">
      <thead>
        <tr className="border-b border-hairline">
          {headerCells.map((cell, index) => (
            <th key={index} className="py-1.5 pe-4 text-start font-semibold">
              <InlineTexts line={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row} className="border-b border-hairline align-top">
            {cells.map((cell, index) => (
              <td key={index} className="py-1.5 pe-4">
                <InlineTexts line={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const InlineTexts = ({ line }: { line: Line }) => line.map((part, index) => <InlineText key={index} part={part} />);

function InlineText({ part }: { part: Inline }) {
  if (typeof part === 'string') return part;
  if ('strong' in part) return <strong className="font-semibold">{part.strong}</strong>;
  if ('code' in part) return <code className="rounded-chip bg-layer px-1 font-mono text-body">{part.code}</code>;
  if ('to' in part)
    return (
      <Link href={part.to} className={linkClass}>
        {part.text}
      </Link>
    );
  return (
    <>
      {part.name !== undefined && <strong className="font-semibold">{part.name}</strong>}
      <CommandKey id={part.command} spaced={part.name !== undefined} />
    </>
  );
}

function CommandKey({ id, spaced }: { id: CommandId; spaced: boolean }) {
  const [keys] = keysOf(id);
  if (!keys) return null;
  return (
    <>
      {spaced && ' '}
      <Kbd keys={keys} always />
    </>
  );
}
