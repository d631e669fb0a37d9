import type { ScopeNode, ServiceRow, TokenRow } from '../../../../api/access/services.ts';
import { serviceTarget } from '../../../commands/access/services.ts';
import { CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { pickLocaleName, t } from '../../../lib/i18n/i18n.ts';
import { api } from '../../../lib/net/client.ts';
import type { Target } from '../../../lib/scope.ts';
import { Details, RecordSection } from '../../../lib/ui/record/details.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { RecordView, useOpenedDetails } from '../../layout/record-view.tsx';
import { TokenItem } from '../token-item.tsx';
import { hasOwner, ServiceStatus } from './parts.tsx';

export function ServiceRecord({ id }: { id: string }) {
  const openedRecord = useOpenedDetails('services', id, api.services.details, serviceTarget);
  if (!openedRecord) return null;
  const { row, details, targets } = openedRecord;
  return (
    <RecordView
      wide
      title={row.name}
      state={
        <span className="inline-flex pt-1">
          <ServiceStatus row={row} />
        </span>
      }
      targets={targets}
      primary={{ id: 'services.addToken', label: t('services.act.addToken') }}
      commands={['services.edit', row.enabled ? 'services.disable' : 'services.enable', 'services.delete']}
    >
      {!hasOwner(row) && <p role="alert">{t('services.ownerless')}</p>}
      <Facts row={row} />
      <RecordSection title={t('services.tokens.title')}>
        {details.tokens.length === 0 ? (
          <p className="text-2">{t('services.tokens.none')}</p>
        ) : (
          <ul className="flex flex-col">
            {details.tokens.map((token) => (
              <Token key={token.id} token={token} nodes={details.nodes} targets={targets} />
            ))}
          </ul>
        )}
      </RecordSection>
    </RecordView>
  );
}

const Facts = ({ row }: { row: ServiceRow }) => (
  <Details
    of={{
      'services.field.owners': row.owners.map(({ email }) => email).join(' · '),
      'services.field.description': <span className="whitespace-pre-wrap">{row.description}</span>,
      'services.field.lastUsed': row.lastUsedAt === null ? t('services.never') : <TimeText iso={row.lastUsedAt} />,
      'services.field.createdAt': <TimeText iso={row.createdAt} />,
    }}
  />
);

function Token({ token, nodes, targets }: { token: TokenRow; nodes: readonly ScopeNode[]; targets: readonly Target[] }) {
  const { id, scopes, state } = token;
  const params = { token: id };
  const names = nodes.filter((node) => scopes.includes(node.id)).map(pickLocaleName);
  return (
    <TokenItem
      of={token}
      facts={{ 'services.field.scopes': names.length === 0 ? '—' : names.join(' · ') }}
      actions={
        <>
          {state === 'live' && (
            <CommandTrigger id="services.rotateToken" targets={targets} params={params} label={t('services.act.rotateToken')} />
          )}
          {(state === 'live' || state === 'replaced') && (
            <CommandTrigger id="services.revokeToken" targets={targets} params={params} label={t('services.act.revokeToken')} />
          )}
        </>
      }
    />
  );
}
