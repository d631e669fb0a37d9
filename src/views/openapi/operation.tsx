import ChevronRight from 'lucide-react/icons/chevron-right';
import { useState, type ReactNode } from 'react';
import type { RouteMeta } from '../../../api/route.ts';
import { pickLocaleName, t } from '../../lib/i18n/i18n.ts';
import { ruleOf, type JsonSchema, type Operation } from './document.ts';
import { linesOf, typeOf } from './schema.ts';

/** Folded. What it takes and returns is drawn once it is open. */
export function OperationLine({ operation }: { operation: Operation }) {
  const { id, method, path, name, access } = operation;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="group/operation border-b border-hairline" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary
        data-operation={id}
        className="flex min-h-row cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 px-cell py-1 hover:bg-layer-hover"
      >
        <ChevronRight
          size={14}
          aria-hidden="true"
          className="shrink-0 text-2 group-open/operation:rotate-90 group-not-open/operation:rtl:rotate-180"
        />
        <span dir="ltr" className="flex min-w-0 flex-[3] basis-60 items-baseline gap-3 font-mono max-lg:basis-[calc(100%-2rem)]">
          <span className="w-14 shrink-0 text-meta font-semibold">{method}</span>
          <span className="min-w-0 break-all">{path}</span>
        </span>
        <span className="min-w-0 flex-[2] basis-40 max-lg:ps-6.5">
          {name ? pickLocaleName(name) : <span className="text-2">{id}</span>}
        </span>
        <span className="min-w-0 flex-[2] basis-40 text-meta text-2 max-sm:basis-full max-sm:ps-6.5">
          <AccessRule access={access} />
        </span>
      </summary>
      {isOpen && <Details operation={operation} />}
    </details>
  );
}

function AccessRule({ access }: { access: RouteMeta }) {
  const rule = ruleOf(access);
  if (rule === null) return t('public' in access ? 'openapi.access.public' : 'openapi.access.signedIn');
  return (
    <code dir="ltr" className="break-all">
      {rule}
    </code>
  );
}

function Details({ operation: { id, access, parameters, body, response } }: { operation: Operation }) {
  return (
    <div className="flex flex-col gap-2 px-cell pt-1 pb-4">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        <dt className="text-2">{t('openapi.field.operation')}</dt>
        <dd dir="ltr" className="font-mono text-meta break-all">
          {id}
        </dd>
        <dt className="text-2">{t('openapi.field.permission')}</dt>
        <dd>
          <AccessRule access={access} />
          {'fresh' in access && <span className="ps-2">{t('openapi.access.fresh')}</span>}
        </dd>
      </dl>
      {parameters.length > 0 && (
        <DetailSection title={t('openapi.parameters')}>
          <Lines
            label={t('openapi.parameters')}
            lines={parameters.map(({ name, in: location, required, schema }) => ({
              name,
              depth: 0,
              required,
              type: typeOf(schema),
              rules: location,
            }))}
          />
        </DetailSection>
      )}
      <SchemaPart title={t('openapi.body')} none={t('openapi.noBody')} schema={body} />
      <SchemaPart title={t('openapi.response')} none={t('openapi.noResponse')} schema={response} />
    </div>
  );
}

const DetailSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <details>
    <summary className="w-fit cursor-pointer rounded-control py-1 text-2">{title}</summary>
    {children}
  </details>
);

function SchemaPart({ title, none, schema }: { title: string; none: string; schema: JsonSchema | null }) {
  if (!schema) return <p className="py-1 text-2">{none}</p>;
  return (
    <DetailSection title={`${title} (${typeOf(schema)})`}>
      <Lines label={title} lines={linesOf(schema)} />
    </DetailSection>
  );
}

function Lines({ label, lines }: { label: string; lines: ReturnType<typeof linesOf> }) {
  return (
    // The table scrolls, so a keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={label}>
      <table className="w-full max-w-240 text-meta">
        <thead>
          <tr className="border-b border-hairline text-start text-2">
            <th className="py-1 pe-4 text-start font-medium">{t('openapi.column.name')}</th>
            <th className="py-1 pe-4 text-start font-medium">{t('openapi.column.required')}</th>
            <th className="py-1 pe-4 text-start font-medium">{t('openapi.column.type')}</th>
            <th className="py-1 text-start font-medium">{t('openapi.column.rules')}</th>
          </tr>
        </thead>
        <tbody dir="ltr">
          {lines.map(({ name, depth, required, type, rules }, index) => (
            <tr key={index} className="border-b border-hairline align-top">
              <td className="py-1 pe-4 font-mono" style={{ paddingInlineStart: `${depth * 16}px` }}>
                {name || '—'}
              </td>
              <td className="py-1 pe-4">{required ? t('openapi.yes') : t('openapi.no')}</td>
              <td className="py-1 pe-4 font-mono break-words">{type}</td>
              <td className="py-1 font-mono break-all">{rules}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
