// Made by npm run commands from docs/commands.json: not by hand.

/** The panel's version. */
export const version = '1.1.0';

export interface Rows {
  administrators: { id: string; version: number; email: string; roles: { id: string; name: string; givenBy: "idp" | "panel"; }[]; enabled: boolean; disabledBy: "idp" | "panel" | null; managed: boolean; description: string; walletAddress: string | null; factor: "none" | "passkey" | "totp"; sso: { email: string | null; origin: "groups" | "invitation" | "scim" | "self"; linkedAt: string; lastUsedAt: string | null; } | null; factorGap: "FACTOR" | "VOUCH" | null; lastSeenAt: string | null; createdAt: string; reach: "beyond" | "own" | "within"; };
  permissions: { id: string; version: number; parentId: string | null; kind: "function" | "menu"; identifier: string; zh: string; en: string; hasEffect: boolean; roles: { id: string; name: string; }[]; };
  roles: { id: string; version: number; name: string; description: string; needsFactor: boolean; grants: string[]; mayGrant: { id: string; name: string; }[]; networks: string[]; idleMinutes: number | null; sessionHours: number | null; administrators: number; createdAt: string; updatedAt: string; };
  services: { id: string; version: number; name: string; description: string; enabled: boolean; owners: { id: string; email: string; enabled: boolean; }[]; tokens: number; expiresAt: string | null; lastUsedAt: string | null; createdAt: string; };
  groupMappings: { id: string; version: number; source: "claim" | "scim"; value: string; group: string; role: { id: string; name: string; }; holders: number; guarded: string[]; };
  ownSessions: { id: string; ip: string; userAgent: string; method: "cli" | "password" | "sso" | "wallet"; createdAt: string; lastSeenAt: string; current: boolean; };
  passkeys: { id: string; name: string; createdAt: string; lastUsedAt: string | null; };
  audit: { id: string; seq: number; at: string; actorEmail: string; command: string | null; route: string; action: string; entity: string; entityId: string | null; name: string | null; names: { zh: string; en: string; } | null; result: "done" | "refused"; ip: string; };
  statements: { id: string; number: number | null; kind: string; by: { person: string; name: string; } | null; at: string; expires: string; state: "cooling" | "draft" | "expired" | "inForce" | "open" | "voided"; from: string | null; needed: number; missing: number; signed: { person: string; name: string; at: string; key: "passkey" | "software" | "wallet"; counts: boolean; }[]; mine: boolean; statement: { v: 2; kind: "approver.add"; id: string; log: { genesis: string; chainId: number; bridge: string; }; after: { number: number; hash: string; }; expires: string; content: { person: string; name: string; roles: string[]; key: { type: "passkey"; credential: string; publicKey: string; } | { type: "wallet"; address: string; } | { type: "software"; publicKey: string; }; }; } | { v: 2; kind: "approver.remove"; id: string; log: { genesis: string; chainId: number; bridge: string; }; after: { number: number; hash: string; }; expires: string; content: { person: string; name: string; reason: string; }; } | { v: 2; kind: "policy.set"; id: string; log: { genesis: string; chainId: number; bridge: string; }; after: { number: number; hash: string; }; expires: string; content: { root: number; coolingSeconds: number; receivers: "any" | "listed"; bands: { from: string; below: string | null; approvals: number; role: string | null; perDay: string | null; delaySeconds: number; }[]; refundBands: { from: string; below: string | null; approvals: number; role: string | null; perDay: string | null; delaySeconds: number; }[]; }; } | { v: 2; kind: "minter.set"; id: string; log: { genesis: string; chainId: number; bridge: string; }; after: { number: number; hash: string; }; expires: string; content: { address: string; reason: string; }; } | { v: 2; kind: "custody.add"; id: string; log: { genesis: string; chainId: number; bridge: string; }; after: { number: number; hash: string; }; expires: string; content: { address: string; note: string; }; } | { v: 2; kind: "custody.remove"; id: string; log: { genesis: string; chainId: number; bridge: string; }; after: { number: number; hash: string; }; expires: string; content: { address: string; reason: string; }; } | { v: 2; kind: "receiver.add"; id: string; log: { genesis: string; chainId: number; bridge: string; }; after: { number: number; hash: string; }; expires: string; content: { address: string; institution: string; custody: string[]; payout: string[]; }; } | { v: 2; kind: "receiver.remove"; id: string; log: { genesis: string; chainId: number; bridge: string; }; after: { number: number; hash: string; }; expires: string; content: { address: string; reason: string; }; } | { v: 2; kind: "mint.approve"; id: string; log: { genesis: string; chainId: number; bridge: string; }; after: { number: number; hash: string; }; expires: string; content: { network: "mainnet" | "regtest" | "signet" | "testnet"; txid: string; vout: number; satoshi: string; custody: string; receiver: string; chainId: number; token: string; bridge: string; policy: number; authors: string[]; }; } | { v: 2; kind: "mint.cancel"; id: string; log: { genesis: string; chainId: number; bridge: string; }; after: { number: number; hash: string; }; expires: string; content: { network: "mainnet" | "regtest" | "signet" | "testnet"; txid: string; vout: number; reason: string; }; } | { v: 2; kind: "refund.approve"; id: string; log: { genesis: string; chainId: number; bridge: string; }; after: { number: number; hash: string; }; expires: string; content: { network: "mainnet" | "regtest" | "signet" | "testnet"; txid: string; vout: number; satoshi: string; account: string; payout: string; chainId: number; bridge: string; nonce: number; policy: number; authors: string[]; }; } | { v: 2; kind: "freeze"; id: string; log: { genesis: string; chainId: number; bridge: string; }; after: { number: number; hash: string; }; expires: string; content: { reason: string; }; } | { v: 2; kind: "unfreeze"; id: string; log: { genesis: string; chainId: number; bridge: string; }; after: { number: number; hash: string; }; expires: string; content: { freeze: string; difference: string; reason: string; }; } | { v: 2; number: number; previous: string; at: string; kind: "genesis"; content: { development: boolean; network: "mainnet" | "regtest" | "signet" | "testnet"; chainId: number; token: string; bridge: string; minter: string; rpId: string; origin: string; approvers: { person: string; name: string; roles: string[]; key: { type: "passkey"; credential: string; publicKey: string; } | { type: "wallet"; address: string; } | { type: "software"; publicKey: string; }; }[]; policy: { root: number; coolingSeconds: number; receivers: "any" | "listed"; bands: { from: string; below: string | null; approvals: number; role: string | null; perDay: string | null; delaySeconds: number; }[]; refundBands: { from: string; below: string | null; approvals: number; role: string | null; perDay: string | null; delaySeconds: number; }[]; }; custody: string[]; receivers: { address: string; institution: string; custody: string[]; payout: string[]; }[]; }; }; };
  crsms: { troveManager: string; troveId: string; collateral: string; debt: string; interest: string; icr: string | null; liquidationPrice: string; MCR: string; price: string; block: string; at: string; stale: boolean; id: string; version: 1; tokenId: string; owner: string; TRGCR: string; TARCR: string; MAX_TARCR: string; debtGasCompensation: string; pendingDebtGasCompensation: string; deadline: string | null; deposits: string; yieldGains: string; debtTokenBalance: string; collateralGains: { token: string; symbol: string; amount: string; }[]; distance: string | null; isTrovesOwner: boolean; createdAt: string; };
  positions: { troveManager: string; troveId: string; collateral: string; debt: string; interest: string; icr: string | null; liquidationPrice: string; MCR: string; price: string; block: string; at: string; stale: boolean; id: string; version: 1; owner: string; crsm: { troveManager: string; troveId: string; collateral: string; debt: string; interest: string; icr: string | null; liquidationPrice: string; MCR: string; price: string; block: string; at: string; stale: boolean; id: string; version: 1; tokenId: string; owner: string; TRGCR: string; TARCR: string; MAX_TARCR: string; debtGasCompensation: string; pendingDebtGasCompensation: string; deadline: string | null; deposits: string; yieldGains: string; debtTokenBalance: string; collateralGains: { token: string; symbol: string; amount: string; }[]; distance: string | null; isTrovesOwner: boolean; createdAt: string; } | null; openedAt: string; };
  institutions: { id: string; version: number; address: string; name: string; createdAt: string; deposits: number; custodians: string[]; custodianCount: number; multisigs: string[]; multisigCount: number; btc: string; pendingBtc: string; readAt: string; chain: { block: string; at: string; troves: number; collateral: string; debt: string; ybtcInWallet: string; yuInPool: string; yuInWallet: string; claimableYbtc: string; claimableYu: string; } | null; crsm: { address: string; trigger: string; target: string; maxTarget: string; } | null; };
  deposits: { id: string; version: number; userAddress: string; amount: string; coboAddress: string; network: "mainnet" | "regtest" | "signet" | "testnet"; txid: string; vout: number; type: "cobo" | "multisig"; lockTime: string | null; remarks: string; status: "confirmed" | "created"; mintStatus: "canceled" | "closed" | "done" | "failed" | "none" | "queued" | "sent"; withdrawStatus: "default" | "requested"; modifiedEmail: string; confirmedAt: string | null; createdAt: string; updatedAt: string; hash: string; createdEmail: string | null; confirmedEmail: string | null; own: boolean; approvals: { email: string; at: string; own: boolean; }[]; missing: number; rule: { approvals: number; role: string | null; perDay: string | null; delaySeconds: number; } | null; mint: { state: "canceled" | "closed" | "failed" | "final" | "mined" | "queued" | "sent" | "signed"; chainId: number; signFrom: string | null; nonce: number | null; hash: string | null; block: string | null; problem: string | null; details: string | null; attempts: number; updatedAt: string; cancelSigns: boolean; } | null; block: { id: string; reason: string; at: string; signed: { email: string; at: string; reason: string; own: boolean; }[]; missing: number; } | null; };
  feedback: { id: string; version: number; email: string; content: string; pictures: string[]; processed: boolean; processedAt: string | null; replies: { id: string; content: string; by: string; at: string; }[]; createdAt: string; updatedAt: string; };
  airdropsImports: { id: string; version: number; name: string; sha256: string; bytes: number; encoding: "big5" | "euc-kr" | "gb18030" | "macintosh" | "shift_jis" | "utf-16be" | "utf-16le" | "utf-8" | "windows-1250" | "windows-1251" | "windows-1252"; delimiter: "\t" | "," | ";" | "|"; state: "canceled" | "checked" | "done" | "failed" | "running" | "undone"; total: number; good: number; bad: number; edited: number; questions: ("delimiter" | "encoding" | "header" | "joinedRows" | "numbers" | "shortRows" | "zone")[]; totals: { added: string; removed: string; largest: { line: number; amount: string; } | null; duplicates: number; }; worked: number; imported: number; earlier: { id: string; by: string; at: string; imported: number; } | null; by: string; createdAt: string; startedAt: string | null; endedAt: string | null; };
  pointsImports: { id: string; version: number; name: string; sha256: string; bytes: number; encoding: "big5" | "euc-kr" | "gb18030" | "macintosh" | "shift_jis" | "utf-16be" | "utf-16le" | "utf-8" | "windows-1250" | "windows-1251" | "windows-1252"; delimiter: "\t" | "," | ";" | "|"; state: "canceled" | "checked" | "done" | "failed" | "running" | "undone"; total: number; good: number; bad: number; edited: number; questions: ("delimiter" | "encoding" | "header" | "joinedRows" | "numbers" | "shortRows" | "zone")[]; totals: { added: string; removed: string; largest: { line: number; amount: string; } | null; duplicates: number; }; worked: number; imported: number; earlier: { id: string; by: string; at: string; imported: number; } | null; by: string; createdAt: string; startedAt: string | null; endedAt: string | null; };
  teamsImports: { id: string; version: number; name: string; sha256: string; bytes: number; encoding: "big5" | "euc-kr" | "gb18030" | "macintosh" | "shift_jis" | "utf-16be" | "utf-16le" | "utf-8" | "windows-1250" | "windows-1251" | "windows-1252"; delimiter: "\t" | "," | ";" | "|"; state: "canceled" | "checked" | "done" | "failed" | "running" | "undone"; total: number; good: number; bad: number; edited: number; questions: ("delimiter" | "encoding" | "header" | "joinedRows" | "numbers" | "shortRows" | "zone")[]; totals: { added: string; removed: string; largest: { line: number; amount: string; } | null; duplicates: number; }; worked: number; imported: number; earlier: { id: string; by: string; at: string; imported: number; } | null; by: string; createdAt: string; startedAt: string | null; endedAt: string | null; };
  drawsImports: { id: string; version: number; name: string; sha256: string; bytes: number; encoding: "big5" | "euc-kr" | "gb18030" | "macintosh" | "shift_jis" | "utf-16be" | "utf-16le" | "utf-8" | "windows-1250" | "windows-1251" | "windows-1252"; delimiter: "\t" | "," | ";" | "|"; state: "canceled" | "checked" | "done" | "failed" | "running" | "undone"; total: number; good: number; bad: number; edited: number; questions: ("delimiter" | "encoding" | "header" | "joinedRows" | "numbers" | "shortRows" | "zone")[]; totals: { added: string; removed: string; largest: { line: number; amount: string; } | null; duplicates: number; }; worked: number; imported: number; earlier: { id: string; by: string; at: string; imported: number; } | null; by: string; createdAt: string; startedAt: string | null; endedAt: string | null; };
  news: { id: string; version: number; title: string; description: string; image: string | null; time: string; link: string; language: "en-US" | "zh-CN" | null; translatedTitle: string | null; translatedDescription: string | null; translatedLink: string | null; shown: boolean; startsAt: string | null; endsAt: string | null; createdAt: string; updatedAt: string; };
  notices: { id: string; version: number; content: string; link: string; platform: "all" | "desktop" | "mobile"; shown: boolean; startsAt: string | null; endsAt: string | null; creatorEmail: string; createdAt: string; updatedAt: string; };
  airdrops: { id: string; version: number; address: string; berries: string; nftNumber: number; nftLevel: number; stage: string; importId: string | null; importLine: number | null; createdAt: string; updatedAt: string; };
  balances: { id: string; address: string; berries: string; entries: number; updatedAt: string; };
  points: { id: string; address: string; berries: string; reason: string; source: "adjustment" | "import" | "reversal"; reverses: string | null; reversedBy: string | null; importId: string | null; importLine: number | null; actorEmail: string; createdAt: string; };
  draws: { id: string; time: string; captain: string; members: number; captainBerries: string; totalBerries: string; importId: string | null; };
  positionStats: { id: string; chainId: number; collateral: string; debt: string; icr: string | null; createdAt: string; positionId: string; address: string; liquidationPrice: string | null; status: "closed" | "open"; };
  teams: { id: string; captain: string; yuMinted: string; size: number; updatedAt: string; importId: string | null; };
  vaults: { id: string; chainId: number; collateral: string; debt: string; icr: string | null; createdAt: string; vaultId: string; owner: string; };
  visits: { id: string; at: string; page: string; country: string | null; chainId: number | null; btcDeposited: string; yuMinted: string; address: string | null; vaultId: string | null; };
  walletConnections: { id: string; address: string; wallet: string; chainId: number | null; country: string | null; firstAt: string; lastAt: string; times: number; };
  withdrawals: { id: string; version: number; depositId: string; address: string; amount: string; receiver: string; txid: string; status: "canceled" | "doing" | "done" | "gone" | "todo" | "withdrawable"; nonce: number | null; requestHash: string | null; confirmHash: string | null; coolsUntil: string | null; createdAt: string; updatedAt: string; createdEmail: string | null; own: boolean; recorded: boolean; approvals: { email: string; at: string; own: boolean; }[]; missing: number; rule: { approvals: number; role: string | null; perDay: string | null; delaySeconds: number; } | null; refusal: { [x: string]: unknown; } | null; block: string | null; cancelAsked: { email: string; at: string; own: boolean; } | null; };
}

/** Filters are spelled as in the address: `shown: 'true'`, `time: '2026-01-01T00:00:00.000Z..'`. */
export interface Lists {
  administrators: { sort: 'createdAt' | 'email'; filter: { q?: string; role?: string; enabled?: string; createdAt?: string }; row: Rows['administrators'] };
  roles: { sort: 'name' | 'createdAt'; filter: { q?: string; createdAt?: string }; row: Rows['roles'] };
  services: { sort: 'createdAt' | 'name'; filter: { q?: string; enabled?: string; createdAt?: string }; row: Rows['services'] };
  audit: { sort: 'time'; filter: { actor?: string; time?: string; what?: string; entity?: string; result?: string; entityId?: string }; row: Rows['audit'] };
  authority: { sort: 'number'; filter: { q?: string; state?: string; kind?: string; mine?: string }; row: Rows['statements'] };
  crsm: { sort: 'distance' | 'collateral' | 'debt' | 'icr' | 'deposits' | 'createdAt'; filter: { q?: string; owner?: string; health?: string; near?: string; icr?: string; collateral?: string; debt?: string; createdAt?: string }; row: Rows['crsms'] };
  dataPanel: { sort: 'createdAt' | 'name' | 'address'; filter: { q?: string; createdAt?: string }; row: Rows['institutions'] };
  deposits: { sort: 'createdAt' | 'amount'; filter: { q?: string; status?: string; mintStatus?: string; blocked?: string; amount?: string; createdAt?: string }; row: Rows['deposits'] };
  feedback: { sort: 'createdAt'; filter: { q?: string; processed?: string; email?: string; createdAt?: string }; row: Rows['feedback'] };
  airdropsImports: { sort: 'createdAt'; filter: {  }; row: Rows['drawsImports'] };
  drawsImports: { sort: 'createdAt'; filter: {  }; row: Rows['drawsImports'] };
  pointsImports: { sort: 'createdAt'; filter: {  }; row: Rows['drawsImports'] };
  teamsImports: { sort: 'createdAt'; filter: {  }; row: Rows['drawsImports'] };
  news: { sort: 'time' | 'createdAt'; filter: { q?: string; shown?: string; phase?: string; coverage?: string; time?: string; createdAt?: string }; row: Rows['news'] };
  notices: { sort: 'createdAt' | 'updatedAt'; filter: { q?: string; shown?: string; platform?: string; phase?: string; createdAt?: string }; row: Rows['notices'] };
  airdrops: { sort: 'createdAt' | 'berries'; filter: { address?: string; stage?: string; nftLevel?: string; berries?: string; createdAt?: string }; row: Rows['airdrops'] };
  points: { sort: 'createdAt' | 'berries'; filter: { address?: string; createdAt?: string; source?: string; sign?: string; berries?: string; q?: string }; row: Rows['points'] };
  draws: { sort: 'time' | 'totalBerries' | 'captainBerries' | 'members'; filter: { address?: string; time?: string; members?: string; captainBerries?: string; totalBerries?: string }; row: Rows['draws'] };
  positionStats: { sort: 'createdAt' | 'collateral' | 'debt' | 'icr'; filter: { address?: string; time?: string; chainId?: string; collateral?: string; debt?: string; icr?: string; status?: string }; row: Rows['positionStats'] };
  teams: { sort: 'yuMinted' | 'size' | 'updatedAt'; filter: { address?: string; time?: string; yuMinted?: string; size?: string }; row: Rows['teams'] };
  vaults: { sort: 'createdAt' | 'collateral' | 'debt' | 'icr'; filter: { address?: string; time?: string; chainId?: string; collateral?: string; debt?: string; icr?: string }; row: Rows['vaults'] };
  visits: { sort: 'at'; filter: { address?: string; country?: string; time?: string; chainId?: string; page?: string; vaultId?: string }; row: Rows['visits'] };
  walletConnections: { sort: 'lastAt' | 'firstAt' | 'times'; filter: { address?: string; country?: string; time?: string; chainId?: string; wallet?: string; times?: string }; row: Rows['walletConnections'] };
  overview: { sort: 'day'; filter: { time?: string }; row: { bridgeBtc: string | null; mintYu: string | null; userCount: string | null; vaultBtc: string | null; id: string; day: string; at: string; block: string | null; } };
  withdrawals: { sort: 'createdAt' | 'amount'; filter: { address?: string; status?: string; cooled?: string; toSign?: string; amount?: string; createdAt?: string; receiver?: string; hash?: string }; row: Rows['withdrawals'] };
}

/** Default sort of each list. */
export const listSorts: { readonly [Name in keyof Lists]: Lists[Name]['sort'] } = {
  administrators: 'createdAt',
  roles: 'name',
  services: 'createdAt',
  audit: 'time',
  authority: 'number',
  crsm: 'distance',
  dataPanel: 'createdAt',
  deposits: 'createdAt',
  feedback: 'createdAt',
  airdropsImports: 'createdAt',
  drawsImports: 'createdAt',
  pointsImports: 'createdAt',
  teamsImports: 'createdAt',
  news: 'time',
  notices: 'createdAt',
  airdrops: 'createdAt',
  points: 'createdAt',
  draws: 'time',
  positionStats: 'createdAt',
  teams: 'yuMinted',
  vaults: 'createdAt',
  visits: 'at',
  walletConnections: 'lastAt',
  overview: 'day',
  withdrawals: 'createdAt',
};

/** The permission of each command, or the path of a screen whose viewers may run it. */
export const commandRights: Readonly<Record<keyof Commands, string>> = {
  'account.addPasskey': 'anyone',
  'account.addTotp': 'anyone',
  'account.bindWallet': 'anyone',
  'account.endOtherSessions': 'anyone',
  'account.endSession': 'anyone',
  'account.linkSso': 'anyone',
  'account.newRecoveryCodes': 'anyone',
  'account.removePasskey': 'anyone',
  'account.removeTotp': 'anyone',
  'account.unbindWallet': 'anyone',
  'account.unlinkSso': 'anyone',
  'account.useEnrollmentCode': 'anyone',
  'administrators.acceptIdpEmail': 'administrators.acceptIdpEmail',
  'administrators.add': 'administrators.add',
  'administrators.bindWallet': 'administrators.bindWallet',
  'administrators.delete': 'administrators.delete',
  'administrators.disable': 'administrators.disable',
  'administrators.edit': 'administrators.edit',
  'administrators.enable': 'administrators.enable',
  'administrators.endSessions': 'administrators.endSessions',
  'administrators.giveEnrollmentCode': 'administrators.giveEnrollmentCode',
  'administrators.invite': 'administrators.invite',
  'administrators.letIdpManage': 'administrators.letIdpManage',
  'administrators.open': '/permissions/administrator',
  'administrators.resetFactor': 'administrators.resetFactor',
  'administrators.resetPassword': 'administrators.resetPassword',
  'administrators.sendSsoLink': 'administrators.sendSsoLink',
  'administrators.stopIdpManaging': 'administrators.stopIdpManaging',
  'administrators.unbindWallet': 'administrators.unbindWallet',
  'administrators.unlinkSso': 'administrators.unlinkSso',
  'administrators.viewAs': '/permissions/administrator',
  'airdrops.add': 'airdrops.add',
  'airdrops.badRows': 'airdrops.import',
  'airdrops.cancelImport': 'airdrops.import',
  'airdrops.copyAddress': '/NFTAirdrop',
  'airdrops.delete': 'airdrops.delete',
  'airdrops.edit': 'airdrops.edit',
  'airdrops.explore': '/NFTAirdrop',
  'airdrops.export': 'airdrops.export',
  'airdrops.import': 'airdrops.import',
  'airdrops.importTemplate': 'airdrops.import',
  'airdrops.imports': '/NFTAirdrop',
  'airdrops.open': '/NFTAirdrop',
  'airdrops.restore': 'airdrops.restore',
  'airdrops.resumeImport': 'airdrops.import',
  'airdrops.setLevel': 'airdrops.setLevel',
  'airdrops.setStage': 'airdrops.setStage',
  'airdrops.startImport': 'airdrops.import',
  'airdrops.undoImport': 'airdrops.undoImport',
  'alarms.test': 'alarms.test',
  'audit.export': 'audit.export',
  'audit.open': '/audit',
  'authority.addCustody': 'authority.addCustody',
  'authority.addReceiver': 'authority.addReceiver',
  'authority.copyHash': '/selfCustody/authority',
  'authority.enrol': 'authority.enrol',
  'authority.export': '/selfCustody/authority',
  'authority.freeze': 'authority.freeze',
  'authority.open': '/selfCustody/authority',
  'authority.removeApprover': 'authority.removeApprover',
  'authority.removeCustody': 'authority.removeCustody',
  'authority.removeReceiver': 'authority.removeReceiver',
  'authority.setMinter': 'authority.setMinter',
  'authority.setRules': 'authority.setRules',
  'authority.sign': 'authority.sign',
  'authority.unfreeze': 'authority.unfreeze',
  'balances.copyAddress': '/points',
  'balances.explore': '/points',
  'balances.open': '/points',
  'batch.close': 'anyone',
  'batch.retry': 'anyone',
  'batch.stop': 'anyone',
  'chart.compare': 'anyone',
  'chart.saveCsv': 'anyone',
  'chart.table': 'anyone',
  'chart.unit': 'anyone',
  'cli.approve': 'anyone',
  'crsm.acceptDebtGasCompensation': 'crsm.acceptDebtGasCompensation',
  'crsm.claimAllCollateralGains': 'crsm.claimAllCollateralGains',
  'crsm.claimYield': 'crsm.claimYield',
  'crsm.commitDebtGasCompensation': 'crsm.commitDebtGasCompensation',
  'crsm.copyAddress': '/CRSMTrove/CRSMList',
  'crsm.create': 'crsm.create',
  'crsm.deposit': 'crsm.deposit',
  'crsm.explore': '/CRSMTrove/CRSMList',
  'crsm.open': '/CRSMTrove/CRSMList',
  'crsm.openPosition': '/CRSMTrove/positionList',
  'crsm.repay': 'crsm.repay',
  'crsm.updateCR': 'crsm.updateCR',
  'crsm.updateData': 'crsm.updateData',
  'crsm.withdraw': 'crsm.withdraw',
  'crsm.withdrawFromSP': 'crsm.withdrawFromSP',
  'dataPanel.copyAddress': '/selfCustody/dataPanel',
  'dataPanel.explore': '/selfCustody/dataPanel',
  'dataPanel.freezeMoney': 'dataPanel.freezeMoney',
  'dataPanel.open': '/selfCustody/dataPanel',
  'dataPanel.refresh': '/selfCustody/dataPanel',
  'dataPanel.rename': 'dataPanel.rename',
  'dataPanel.resolve': 'dataPanel.resolve',
  'density.set': 'anyone',
  'deposits.add': 'deposits.add',
  'deposits.cancelMint': 'deposits.cancelMint',
  'deposits.closeFailed': 'deposits.closeFailed',
  'deposits.confirm': 'deposits.confirm',
  'deposits.copyHash': '/selfCustody/deposit',
  'deposits.delete': 'deposits.delete',
  'deposits.edit': 'deposits.edit',
  'deposits.explore': '/selfCustody/deposit',
  'deposits.open': '/selfCustody/deposit',
  'deposits.retryMint': 'deposits.retryMint',
  'deposits.revokeSignature': 'deposits.confirm',
  'deposits.toConfirm': 'deposits.confirm',
  'deposits.unblock': 'deposits.unblock',
  'draws.badRows': 'draws.import',
  'draws.cancelImport': 'draws.import',
  'draws.copyAddress': '/statistics/data0penBox',
  'draws.explore': '/statistics/data0penBox',
  'draws.export': 'draws.export',
  'draws.import': 'draws.import',
  'draws.importTemplate': 'draws.import',
  'draws.imports': '/statistics/data0penBox',
  'draws.open': '/statistics/data0penBox',
  'draws.resumeImport': 'draws.import',
  'draws.startImport': 'draws.import',
  'draws.undoImport': 'draws.undoImport',
  'evm.connect': 'anyone',
  'evm.disconnect': 'anyone',
  'evm.stopWaiting': 'anyone',
  'evm.switchChain': 'anyone',
  'exportJobs.cancel': 'anyone',
  'exportJobs.download': 'anyone',
  'exportJobs.open': 'anyone',
  'exportJobs.remove': 'anyone',
  'feedback.bin': '/feedback',
  'feedback.delete': 'feedback.delete',
  'feedback.open': '/feedback',
  'feedback.pictures': '/feedback',
  'feedback.process': 'feedback.process',
  'feedback.processNext': 'feedback.process',
  'feedback.reopen': 'feedback.reopen',
  'feedback.reply': 'feedback.reply',
  'feedback.restore': 'feedback.restore',
  'feedback.triage': 'feedback.process',
  'go.CRSMList': '/CRSMTrove/CRSMList',
  'go.NFTAirdrop': '/NFTAirdrop',
  'go.account': '/account',
  'go.administrator': '/permissions/administrator',
  'go.audit': '/audit',
  'go.authority': '/selfCustody/authority',
  'go.dataCaptain': '/statistics/datacaptain',
  'go.dataCdp': '/statistics/dataCdp',
  'go.dataOpenBox': '/statistics/data0penBox',
  'go.dataPanel': '/selfCustody/dataPanel',
  'go.dataVault': '/statistics/dataVault',
  'go.dataView': '/statistics/dataView',
  'go.dataWallet': '/statistics/dataWallet',
  'go.deposit': '/selfCustody/deposit',
  'go.docs': '/api/docs',
  'go.feedback': '/feedback',
  'go.help': 'anyone',
  'go.home': '/',
  'go.identity': '/permissions/identity',
  'go.news': '/news',
  'go.notices': '/notices',
  'go.overview': '/overview',
  'go.permission': '/permissions/permission',
  'go.points': '/points',
  'go.positionList': '/CRSMTrove/positionList',
  'go.role': '/permissions/role',
  'go.service': '/permissions/service',
  'go.withdraw': '/selfCustody/withdraw',
  'history.open': 'anyone',
  'history.repeat': 'anyone',
  'history.undo': 'anyone',
  'identity.addMapping': 'identity.addMapping',
  'identity.addScimToken': 'identity.addScimToken',
  'identity.deleteMapping': 'identity.deleteMapping',
  'identity.editMapping': 'identity.editMapping',
  'identity.revokeScimToken': 'identity.revokeScimToken',
  'keys.edit': 'anyone',
  'keys.export': 'anyone',
  'keys.help': 'anyone',
  'keys.import': 'anyone',
  'keys.reset': 'anyone',
  'keys.single': 'anyone',
  'language.switch': 'anyone',
  'list.addFilter': 'anyone',
  'list.arrivals': 'anyone',
  'list.clear': 'anyone',
  'list.clearFilter': 'anyone',
  'list.columns': 'anyone',
  'list.copy': 'anyone',
  'list.extendDown': 'anyone',
  'list.extendUp': 'anyone',
  'list.filter': 'anyone',
  'list.first': 'anyone',
  'list.last': 'anyone',
  'list.like': 'anyone',
  'list.next': 'anyone',
  'list.open': 'anyone',
  'list.previous': 'anyone',
  'list.refresh': 'anyone',
  'list.resetColumns': 'anyone',
  'list.selectAll': 'anyone',
  'list.selectMatching': 'anyone',
  'list.toggle': 'anyone',
  'macros.add': 'anyone',
  'macros.open': 'anyone',
  'macros.run': 'anyone',
  'news.add': 'news.add',
  'news.bin': '/news',
  'news.copyImage': '/news',
  'news.delete': 'news.delete',
  'news.edit': 'news.edit',
  'news.get': 'news.get',
  'news.hide': 'news.hide',
  'news.join': 'news.edit',
  'news.open': '/news',
  'news.preview': '/news',
  'news.restore': 'news.restore',
  'news.show': 'news.show',
  'news.undoJoin': 'news.edit',
  'notices.add': 'notices.add',
  'notices.bin': '/notices',
  'notices.delete': 'notices.delete',
  'notices.edit': 'notices.edit',
  'notices.hide': 'notices.hide',
  'notices.open': '/notices',
  'notices.preview': '/notices',
  'notices.restore': 'notices.restore',
  'notices.show': 'notices.show',
  'overview.export': 'overview.export',
  'overview.refresh': '/overview',
  'page.print': 'anyone',
  'palette.open': 'anyone',
  'panel.reload': 'anyone',
  'permissions.add': 'permissions.add',
  'permissions.addMenu': 'permissions.add',
  'permissions.addSubmenu': 'permissions.add',
  'permissions.delete': 'permissions.delete',
  'permissions.edit': 'permissions.edit',
  'permissions.move': 'permissions.move',
  'permissions.reset': 'permissions.reset',
  'points.adjust': 'points.adjust',
  'points.badRows': 'points.import',
  'points.cancelImport': 'points.import',
  'points.copyAddress': '/points',
  'points.explore': '/points',
  'points.export': 'points.export',
  'points.import': 'points.import',
  'points.importTemplate': 'points.import',
  'points.imports': '/points',
  'points.open': '/points',
  'points.resumeImport': 'points.import',
  'points.reverse': 'points.reverse',
  'points.startImport': 'points.import',
  'points.undoImport': 'points.undoImport',
  'points.view': '/points',
  'positionStats.copyAddress': '/statistics/dataCdp',
  'positionStats.explore': '/statistics/dataCdp',
  'positionStats.export': 'positionStats.export',
  'positionStats.open': '/statistics/dataCdp',
  'qa.expect': 'anyone',
  'qa.record': 'anyone',
  'qa.stopRecording': 'anyone',
  'qa.toggle': 'anyone',
  'record.close': 'anyone',
  'record.next': 'anyone',
  'record.previous': 'anyone',
  'record.whole': 'anyone',
  'roles.add': 'roles.add',
  'roles.copy': 'roles.copy',
  'roles.delete': 'roles.delete',
  'roles.edit': 'roles.edit',
  'roles.open': '/permissions/role',
  'roles.viewAs': '/permissions/role',
  'services.add': 'services.add',
  'services.addToken': 'services.addToken',
  'services.delete': 'services.delete',
  'services.disable': 'services.disable',
  'services.edit': 'services.edit',
  'services.enable': 'services.enable',
  'services.open': '/permissions/service',
  'services.revokeToken': 'services.revokeToken',
  'services.rotateToken': 'services.rotateToken',
  'session.changePassword': 'anyone',
  'session.leaveView': 'anyone',
  'session.signOut': 'anyone',
  'sidebar.toggle': 'anyone',
  'teams.badRows': 'teams.import',
  'teams.cancelImport': 'teams.import',
  'teams.copyAddress': '/statistics/datacaptain',
  'teams.explore': '/statistics/datacaptain',
  'teams.export': 'teams.export',
  'teams.import': 'teams.import',
  'teams.importTemplate': 'teams.import',
  'teams.imports': '/statistics/datacaptain',
  'teams.open': '/statistics/datacaptain',
  'teams.resumeImport': 'teams.import',
  'teams.startImport': 'teams.import',
  'teams.undoImport': 'teams.undoImport',
  'theme.set': 'anyone',
  'values.exact': 'anyone',
  'vaults.copyAddress': '/statistics/dataVault',
  'vaults.explore': '/statistics/dataVault',
  'vaults.export': 'vaults.export',
  'vaults.open': '/statistics/dataVault',
  'views.copyLink': 'anyone',
  'views.delete': 'anyone',
  'views.open': 'anyone',
  'views.rename': 'anyone',
  'views.save': 'anyone',
  'visits.copyAddress': '/statistics/dataView',
  'visits.explore': '/statistics/dataView',
  'visits.export': 'visits.export',
  'visits.open': '/statistics/dataView',
  'walletConnections.copyAddress': '/statistics/dataWallet',
  'walletConnections.explore': '/statistics/dataWallet',
  'walletConnections.export': 'walletConnections.export',
  'walletConnections.open': '/statistics/dataWallet',
  'withdrawals.add': 'withdrawals.add',
  'withdrawals.cancel': 'withdrawals.cancel',
  'withdrawals.confirmRefund': 'withdrawals.confirmRefund',
  'withdrawals.copyReceiver': '/selfCustody/withdraw',
  'withdrawals.explore': '/selfCustody/withdraw',
  'withdrawals.offerAgain': 'withdrawals.offerAgain',
  'withdrawals.open': '/selfCustody/withdraw',
  'withdrawals.requestRefund': 'withdrawals.requestRefund',
  'withdrawals.signRefund': 'withdrawals.signRefund',
};

/** Targets, parameters and result of each command. */
export interface Commands {
  'account.addPasskey': { targets: null; params: null; value: null };
  'account.addTotp': { targets: null; params: null; value: null };
  'account.bindWallet': { targets: null; params: null; value: null };
  'account.endOtherSessions': { targets: null; params: null; value: { ended: number; } };
  'account.endSession': { targets: 'ownSessions'; params: null; value: null };
  'account.linkSso': { targets: null; params: null; value: null };
  'account.newRecoveryCodes': { targets: null; params: null; value: null };
  'account.removePasskey': { targets: 'passkeys'; params: null; value: null };
  'account.removeTotp': { targets: null; params: null; value: null };
  'account.unbindWallet': { targets: null; params: null; value: null };
  'account.unlinkSso': { targets: null; params: null; value: null };
  'account.useEnrollmentCode': { targets: null; params: { enrollmentCode: string }; value: null };
  'administrators.acceptIdpEmail': { targets: 'administrators'; params: null; value: Rows['administrators'] };
  'administrators.add': { targets: null; params: { email: string; password: string; roles: readonly (string)[]; description: string }; value: Rows['administrators'] };
  'administrators.bindWallet': { targets: 'administrators'; params: { address: string }; value: { row: Rows['administrators']; before: string | null; } };
  'administrators.delete': { targets: 'administrators'; params: null; value: { done: { id: string; }[]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'administrators.disable': { targets: 'administrators'; params: null; value: { done: Rows['administrators'][]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'administrators.edit': { targets: 'administrators'; params: { email?: string; roles?: readonly (string)[]; description?: string }; value: { row: Rows['administrators']; before: { email: string; roles: string[]; description: string; }; } };
  'administrators.enable': { targets: 'administrators'; params: null; value: { done: Rows['administrators'][]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'administrators.endSessions': { targets: 'administrators'; params: null; value: { done: Rows['administrators'][]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'administrators.giveEnrollmentCode': { targets: 'administrators'; params: null; value: { code: string; expiresAt: string; } };
  'administrators.invite': { targets: null; params: { email: string; roles: readonly (string)[]; description: string }; value: Rows['administrators'] };
  'administrators.letIdpManage': { targets: 'administrators'; params: null; value: { done: Rows['administrators'][]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'administrators.open': { targets: 'administrators'; params: null; value: null };
  'administrators.resetFactor': { targets: 'administrators'; params: null; value: Rows['administrators'] };
  'administrators.resetPassword': { targets: 'administrators'; params: null; value: { expiresAt: string; } };
  'administrators.sendSsoLink': { targets: 'administrators'; params: null; value: { expiresAt: string; } };
  'administrators.stopIdpManaging': { targets: 'administrators'; params: null; value: { done: Rows['administrators'][]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'administrators.unbindWallet': { targets: 'administrators'; params: null; value: { row: Rows['administrators']; before: string; } };
  'administrators.unlinkSso': { targets: 'administrators'; params: null; value: Rows['administrators'] };
  'administrators.viewAs': { targets: 'administrators'; params: null; value: null };
  'airdrops.add': { targets: null; params: { address: string; berries: string; nftNumber: number | string; nftLevel: number | string; stage: string }; value: Rows['airdrops'] };
  'airdrops.badRows': { targets: 'airdropsImports'; params: null; value: { rows: number; text: string; } };
  'airdrops.cancelImport': { targets: 'airdropsImports'; params: null; value: { row: Rows['drawsImports'] | null; } };
  'airdrops.copyAddress': { targets: 'airdrops'; params: null; value: null };
  'airdrops.delete': { targets: 'airdrops'; params: null; value: { done: { id: string; entry: string; }[]; failed: { id: string; code: string; }[]; } };
  'airdrops.edit': { targets: 'airdrops'; params: { address?: string; berries?: string; nftNumber?: number | string; nftLevel?: number | string; stage?: string }; value: { row: Rows['airdrops']; before: { address: string; berries: string; nftNumber: number; nftLevel: number; stage: string; }; } };
  'airdrops.explore': { targets: 'airdrops'; params: null; value: string | null };
  'airdrops.export': { targets: null; params: { format?: "csv" | "xlsx" }; value: { id: string; rows: number; isSaved: boolean; } };
  'airdrops.import': { targets: null; params: { file: string }; value: { row: Rows['drawsImports']; reading: { encoding: "big5" | "euc-kr" | "gb18030" | "macintosh" | "shift_jis" | "utf-16be" | "utf-16le" | "utf-8" | "windows-1250" | "windows-1251" | "windows-1252"; delimiter: "\t" | "," | ";" | "|"; firstLine: number; headed: boolean; comments: boolean; decimal: "," | "."; zone: string; }; head: string[]; mapping: { [x: string]: number | null; }; fills: { [x: string]: string; }; missing: string[]; skipped: { above: string[]; comments: number; }; samples: { encoding: "big5" | "euc-kr" | "gb18030" | "macintosh" | "shift_jis" | "utf-16be" | "utf-16le" | "utf-8" | "windows-1250" | "windows-1251" | "windows-1252"; text: string; }[]; shortRows: number; joinedRows: number; unclearNumbers: number; timesWithoutZone: number; uncertain: { line: number; cells: string[]; texts: { [x: string]: string; }; values: { [x: string]: string; } | null; edited: boolean; issues: { path: string; rule: "address" | "afterStart" | "amount" | "balance" | "bands" | "bitcoin" | "checksum" | "clockChange" | "drawn" | "email" | "encoding" | "enrollmentCode" | "everyNetwork" | "extraCells" | "fileEmpty" | "fileTooLarge" | "guarded" | "invalid" | "joinedLines" | "lifetime" | "longRow" | "lookAlike" | "network" | "notCsv" | "notReadableSo" | "openQuote" | "range" | "ratio" | "ratioOrder" | "receiver" | "required" | "shutsOut" | "slug" | "spelling" | "strayQuote" | "taken" | "taproot" | "time" | "timeSpelling" | "tooDeep" | "tooLong" | "tooMany" | "tooManyColumns" | "tooManyEdits" | "tooManyRows" | "tooMuchWaiting" | "tooShort" | "txid" | "units" | "unseen" | "url" | "whole" | "withdrawn" | "zero"; }[]; }[]; first: { line: number; cells: string[]; texts: { [x: string]: string; }; values: { [x: string]: string; } | null; edited: boolean; issues: { path: string; rule: "address" | "afterStart" | "amount" | "balance" | "bands" | "bitcoin" | "checksum" | "clockChange" | "drawn" | "email" | "encoding" | "enrollmentCode" | "everyNetwork" | "extraCells" | "fileEmpty" | "fileTooLarge" | "guarded" | "invalid" | "joinedLines" | "lifetime" | "longRow" | "lookAlike" | "network" | "notCsv" | "notReadableSo" | "openQuote" | "range" | "ratio" | "ratioOrder" | "receiver" | "required" | "shutsOut" | "slug" | "spelling" | "strayQuote" | "taken" | "taproot" | "time" | "timeSpelling" | "tooDeep" | "tooLong" | "tooMany" | "tooManyColumns" | "tooManyEdits" | "tooManyRows" | "tooMuchWaiting" | "tooShort" | "txid" | "units" | "unseen" | "url" | "whole" | "withdrawn" | "zero"; }[]; }[]; badRows: { line: number; cells: string[]; texts: { [x: string]: string; }; values: { [x: string]: string; } | null; edited: boolean; issues: { path: string; rule: "address" | "afterStart" | "amount" | "balance" | "bands" | "bitcoin" | "checksum" | "clockChange" | "drawn" | "email" | "encoding" | "enrollmentCode" | "everyNetwork" | "extraCells" | "fileEmpty" | "fileTooLarge" | "guarded" | "invalid" | "joinedLines" | "lifetime" | "longRow" | "lookAlike" | "network" | "notCsv" | "notReadableSo" | "openQuote" | "range" | "ratio" | "ratioOrder" | "receiver" | "required" | "shutsOut" | "slug" | "spelling" | "strayQuote" | "taken" | "taproot" | "time" | "timeSpelling" | "tooDeep" | "tooLong" | "tooMany" | "tooManyColumns" | "tooManyEdits" | "tooManyRows" | "tooMuchWaiting" | "tooShort" | "txid" | "units" | "unseen" | "url" | "whole" | "withdrawn" | "zero"; }[]; }[]; repaired: { line: number; cells: string[]; texts: { [x: string]: string; }; values: { [x: string]: string; } | null; edited: boolean; issues: { path: string; rule: "address" | "afterStart" | "amount" | "balance" | "bands" | "bitcoin" | "checksum" | "clockChange" | "drawn" | "email" | "encoding" | "enrollmentCode" | "everyNetwork" | "extraCells" | "fileEmpty" | "fileTooLarge" | "guarded" | "invalid" | "joinedLines" | "lifetime" | "longRow" | "lookAlike" | "network" | "notCsv" | "notReadableSo" | "openQuote" | "range" | "ratio" | "ratioOrder" | "receiver" | "required" | "shutsOut" | "slug" | "spelling" | "strayQuote" | "taken" | "taproot" | "time" | "timeSpelling" | "tooDeep" | "tooLong" | "tooMany" | "tooManyColumns" | "tooManyEdits" | "tooManyRows" | "tooMuchWaiting" | "tooShort" | "txid" | "units" | "unseen" | "url" | "whole" | "withdrawn" | "zero"; }[]; }[]; } };
  'airdrops.importTemplate': { targets: null; params: null; value: { text: string; } };
  'airdrops.imports': { targets: null; params: null; value: null };
  'airdrops.open': { targets: 'airdrops'; params: null; value: null };
  'airdrops.restore': { targets: 'version'; params: null; value: { done: { row: Rows['airdrops']; current: Readonly<Record<string, unknown>> | null; }[]; failed: { id: string; code: string; }[]; } };
  'airdrops.resumeImport': { targets: 'airdropsImports'; params: null; value: Rows['drawsImports'] };
  'airdrops.setLevel': { targets: 'airdrops'; params: { nftLevel: number | string; each?: Readonly<Record<string, number | string>> }; value: { done: Rows['airdrops'][]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'airdrops.setStage': { targets: 'airdrops'; params: { stage: string; each?: Readonly<Record<string, string>> }; value: { done: Rows['airdrops'][]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'airdrops.startImport': { targets: 'airdropsImports'; params: null; value: Rows['drawsImports'] };
  'airdrops.undoImport': { targets: 'airdropsImports'; params: null; value: Rows['drawsImports'] };
  'alarms.test': { targets: null; params: null; value: { channels: { channel: string; state: "failed" | "handedOver" | "sent"; error: string | null; }[]; } };
  'audit.export': { targets: null; params: { format?: "csv" | "xlsx" }; value: { id: string; rows: number; isSaved: boolean; } };
  'audit.open': { targets: 'audit'; params: null; value: null };
  'authority.addCustody': { targets: null; params: { address: string; note?: string }; value: Rows['statements'] };
  'authority.addReceiver': { targets: null; params: { institution: string; address: string; custody?: readonly (string)[]; payout?: string }; value: Rows['statements'] };
  'authority.copyHash': { targets: 'statements'; params: null; value: null };
  'authority.enrol': { targets: null; params: { with?: "passkey" | "wallet" }; value: Rows['statements'] };
  'authority.export': { targets: null; params: null; value: null };
  'authority.freeze': { targets: null; params: { reason: string }; value: Rows['statements'] };
  'authority.open': { targets: 'statements'; params: null; value: null };
  'authority.removeApprover': { targets: null; params: { person: string; reason: string }; value: Rows['statements'] };
  'authority.removeCustody': { targets: null; params: { address: string; reason: string }; value: Rows['statements'] };
  'authority.removeReceiver': { targets: null; params: { address: string; reason: string }; value: Rows['statements'] };
  'authority.setMinter': { targets: null; params: { address: string; reason: string }; value: Rows['statements'] };
  'authority.setRules': { targets: null; params: { root: number | string; coolingSeconds: number | string; receivers?: "listed" | "any"; bands: string; refundBands: string }; value: Rows['statements'] };
  'authority.sign': { targets: 'statements'; params: null; value: Rows['statements'] };
  'authority.unfreeze': { targets: null; params: { freeze: string; reason: string }; value: Rows['statements'] };
  'balances.copyAddress': { targets: 'balances'; params: null; value: null };
  'balances.explore': { targets: 'balances'; params: null; value: string | null };
  'balances.open': { targets: 'balances'; params: null; value: null };
  'batch.close': { targets: null; params: null; value: null };
  'batch.retry': { targets: null; params: null; value: null };
  'batch.stop': { targets: null; params: null; value: null };
  'chart.compare': { targets: null; params: null; value: null };
  'chart.saveCsv': { targets: null; params: null; value: null };
  'chart.table': { targets: null; params: null; value: null };
  'chart.unit': { targets: null; params: { unit: "day" | "week" | "month" }; value: null };
  'cli.approve': { targets: null; params: { challenge: string }; value: { code: string; port: number | null; expiresAt: string; } };
  'crsm.acceptDebtGasCompensation': { targets: 'crsms'; params: null; value: { hash: `0x${string}`; isMined: boolean; } };
  'crsm.claimAllCollateralGains': { targets: 'crsms'; params: { to?: string }; value: { rows: { id: string; name: string; state: 'waiting' | 'working' | 'done' | 'failed' | 'skipped'; note: string | null; missing?: true; }[]; isMined?: boolean; } };
  'crsm.claimYield': { targets: 'crsms'; params: { to?: string }; value: { rows: { id: string; name: string; state: 'waiting' | 'working' | 'done' | 'failed' | 'skipped'; note: string | null; missing?: true; }[]; isMined?: boolean; } };
  'crsm.commitDebtGasCompensation': { targets: 'crsms'; params: { debtGasCompensation: string }; value: { hash: `0x${string}`; isMined: boolean; } };
  'crsm.copyAddress': { targets: 'crsms'; params: null; value: null };
  'crsm.create': { targets: 'positions'; params: { TRGCR: string; TARCR: string; MAX_TARCR: string; debtGasCompensation?: string; amount?: string }; value: { hash: `0x${string}`; isMined: boolean; } };
  'crsm.deposit': { targets: 'crsms'; params: { amount: string }; value: { hash: `0x${string}`; isMined: boolean; } };
  'crsm.explore': { targets: 'crsms'; params: null; value: string | null };
  'crsm.open': { targets: 'crsms'; params: null; value: null };
  'crsm.openPosition': { targets: 'positions'; params: null; value: null };
  'crsm.repay': { targets: 'crsms'; params: { amount: string }; value: { hash: `0x${string}`; isMined: boolean; } };
  'crsm.updateCR': { targets: 'crsms'; params: { TRGCR: string; TARCR: string; MAX_TARCR: string }; value: { hash: `0x${string}`; isMined: boolean; } };
  'crsm.updateData': { targets: 'crsms'; params: null; value: Rows['crsms'][] };
  'crsm.withdraw': { targets: 'crsms'; params: { to?: string; amount: string }; value: { hash: `0x${string}`; isMined: boolean; } };
  'crsm.withdrawFromSP': { targets: 'crsms'; params: { to?: string; amount: string }; value: { hash: `0x${string}`; isMined: boolean; } };
  'dataPanel.copyAddress': { targets: 'institutions'; params: null; value: null };
  'dataPanel.explore': { targets: 'institutions'; params: null; value: string | null };
  'dataPanel.freezeMoney': { targets: null; params: { reason: string }; value: { id: string; } };
  'dataPanel.open': { targets: 'institutions'; params: null; value: null };
  'dataPanel.refresh': { targets: null; params: null; value: null };
  'dataPanel.rename': { targets: 'institutions'; params: { name?: string }; value: { row: Rows['institutions']; before: string; } };
  'dataPanel.resolve': { targets: null; params: { reason: string; freeze?: string }; value: { id: string; missing: number; others: { ledger: number; log: number; }; } };
  'density.set': { targets: null; params: { density: "compact" | "default" | "roomy" }; value: null };
  'deposits.add': { targets: null; params: { userAddress: string; amount: string; coboAddress: string; txid: string; vout?: number | string; type?: "cobo" | "multisig"; lockTime?: string | null; remarks?: string }; value: Rows['deposits'] };
  'deposits.cancelMint': { targets: 'deposits'; params: { reason: string }; value: { row: Rows['deposits']; isSigned: boolean; } };
  'deposits.closeFailed': { targets: 'deposits'; params: { reason: string }; value: Rows['deposits'] };
  'deposits.confirm': { targets: 'deposits'; params: null; value: Rows['deposits'] };
  'deposits.copyHash': { targets: 'deposits'; params: null; value: null };
  'deposits.delete': { targets: 'deposits'; params: null; value: { done: { id: string; }[]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'deposits.edit': { targets: 'deposits'; params: { userAddress?: string; amount?: string; coboAddress?: string; txid?: string; vout?: number | string; type?: "cobo" | "multisig"; lockTime?: string | null; remarks?: string }; value: { row: Rows['deposits']; before: { userAddress: string; amount: string; coboAddress: string; txid: string; vout: number; type: "cobo" | "multisig"; lockTime: string | null; remarks: string; }; } };
  'deposits.explore': { targets: 'deposits'; params: { what?: "txid" | "mint" | "custody" | "user" }; value: string | null };
  'deposits.open': { targets: 'deposits'; params: null; value: null };
  'deposits.retryMint': { targets: 'deposits'; params: null; value: Rows['deposits'] };
  'deposits.revokeSignature': { targets: 'deposits'; params: { reason: string }; value: Rows['deposits'] };
  'deposits.toConfirm': { targets: null; params: null; value: null };
  'deposits.unblock': { targets: 'deposits'; params: { reason: string }; value: Rows['deposits'] };
  'draws.badRows': { targets: 'drawsImports'; params: null; value: { rows: number; text: string; } };
  'draws.cancelImport': { targets: 'drawsImports'; params: null; value: { row: Rows['drawsImports'] | null; } };
  'draws.copyAddress': { targets: 'draws'; params: null; value: null };
  'draws.explore': { targets: 'draws'; params: null; value: string | null };
  'draws.export': { targets: null; params: { format?: "csv" | "xlsx" }; value: { id: string; rows: number; isSaved: boolean; } };
  'draws.import': { targets: null; params: { file: string }; value: { row: Rows['drawsImports']; reading: { encoding: "big5" | "euc-kr" | "gb18030" | "macintosh" | "shift_jis" | "utf-16be" | "utf-16le" | "utf-8" | "windows-1250" | "windows-1251" | "windows-1252"; delimiter: "\t" | "," | ";" | "|"; firstLine: number; headed: boolean; comments: boolean; decimal: "," | "."; zone: string; }; head: string[]; mapping: { [x: string]: number | null; }; fills: { [x: string]: string; }; missing: string[]; skipped: { above: string[]; comments: number; }; samples: { encoding: "big5" | "euc-kr" | "gb18030" | "macintosh" | "shift_jis" | "utf-16be" | "utf-16le" | "utf-8" | "windows-1250" | "windows-1251" | "windows-1252"; text: string; }[]; shortRows: number; joinedRows: number; unclearNumbers: number; timesWithoutZone: number; uncertain: { line: number; cells: string[]; texts: { [x: string]: string; }; values: { [x: string]: string; } | null; edited: boolean; issues: { path: string; rule: "address" | "afterStart" | "amount" | "balance" | "bands" | "bitcoin" | "checksum" | "clockChange" | "drawn" | "email" | "encoding" | "enrollmentCode" | "everyNetwork" | "extraCells" | "fileEmpty" | "fileTooLarge" | "guarded" | "invalid" | "joinedLines" | "lifetime" | "longRow" | "lookAlike" | "network" | "notCsv" | "notReadableSo" | "openQuote" | "range" | "ratio" | "ratioOrder" | "receiver" | "required" | "shutsOut" | "slug" | "spelling" | "strayQuote" | "taken" | "taproot" | "time" | "timeSpelling" | "tooDeep" | "tooLong" | "tooMany" | "tooManyColumns" | "tooManyEdits" | "tooManyRows" | "tooMuchWaiting" | "tooShort" | "txid" | "units" | "unseen" | "url" | "whole" | "withdrawn" | "zero"; }[]; }[]; first: { line: number; cells: string[]; texts: { [x: string]: string; }; values: { [x: string]: string; } | null; edited: boolean; issues: { path: string; rule: "address" | "afterStart" | "amount" | "balance" | "bands" | "bitcoin" | "checksum" | "clockChange" | "drawn" | "email" | "encoding" | "enrollmentCode" | "everyNetwork" | "extraCells" | "fileEmpty" | "fileTooLarge" | "guarded" | "invalid" | "joinedLines" | "lifetime" | "longRow" | "lookAlike" | "network" | "notCsv" | "notReadableSo" | "openQuote" | "range" | "ratio" | "ratioOrder" | "receiver" | "required" | "shutsOut" | "slug" | "spelling" | "strayQuote" | "taken" | "taproot" | "time" | "timeSpelling" | "tooDeep" | "tooLong" | "tooMany" | "tooManyColumns" | "tooManyEdits" | "tooManyRows" | "tooMuchWaiting" | "tooShort" | "txid" | "units" | "unseen" | "url" | "whole" | "withdrawn" | "zero"; }[]; }[]; badRows: { line: number; cells: string[]; texts: { [x: string]: string; }; values: { [x: string]: string; } | null; edited: boolean; issues: { path: string; rule: "address" | "afterStart" | "amount" | "balance" | "bands" | "bitcoin" | "checksum" | "clockChange" | "drawn" | "email" | "encoding" | "enrollmentCode" | "everyNetwork" | "extraCells" | "fileEmpty" | "fileTooLarge" | "guarded" | "invalid" | "joinedLines" | "lifetime" | "longRow" | "lookAlike" | "network" | "notCsv" | "notReadableSo" | "openQuote" | "range" | "ratio" | "ratioOrder" | "receiver" | "required" | "shutsOut" | "slug" | "spelling" | "strayQuote" | "taken" | "taproot" | "time" | "timeSpelling" | "tooDeep" | "tooLong" | "tooMany" | "tooManyColumns" | "tooManyEdits" | "tooManyRows" | "tooMuchWaiting" | "tooShort" | "txid" | "units" | "unseen" | "url" | "whole" | "withdrawn" | "zero"; }[]; }[]; repaired: { line: number; cells: string[]; texts: { [x: string]: string; }; values: { [x: string]: string; } | null; edited: boolean; issues: { path: string; rule: "address" | "afterStart" | "amount" | "balance" | "bands" | "bitcoin" | "checksum" | "clockChange" | "drawn" | "email" | "encoding" | "enrollmentCode" | "everyNetwork" | "extraCells" | "fileEmpty" | "fileTooLarge" | "guarded" | "invalid" | "joinedLines" | "lifetime" | "longRow" | "lookAlike" | "network" | "notCsv" | "notReadableSo" | "openQuote" | "range" | "ratio" | "ratioOrder" | "receiver" | "required" | "shutsOut" | "slug" | "spelling" | "strayQuote" | "taken" | "taproot" | "time" | "timeSpelling" | "tooDeep" | "tooLong" | "tooMany" | "tooManyColumns" | "tooManyEdits" | "tooManyRows" | "tooMuchWaiting" | "tooShort" | "txid" | "units" | "unseen" | "url" | "whole" | "withdrawn" | "zero"; }[]; }[]; } };
  'draws.importTemplate': { targets: null; params: null; value: { text: string; } };
  'draws.imports': { targets: null; params: null; value: null };
  'draws.open': { targets: 'draws'; params: null; value: null };
  'draws.resumeImport': { targets: 'drawsImports'; params: null; value: Rows['drawsImports'] };
  'draws.startImport': { targets: 'drawsImports'; params: null; value: Rows['drawsImports'] };
  'draws.undoImport': { targets: 'drawsImports'; params: null; value: Rows['drawsImports'] };
  'evm.connect': { targets: null; params: { wallet: string }; value: null };
  'evm.disconnect': { targets: null; params: null; value: null };
  'evm.stopWaiting': { targets: null; params: null; value: null };
  'evm.switchChain': { targets: null; params: null; value: { chainId: number; name: string; rpcUrl: string | null; explorers: { bitcoin: string | null; evm: string | null; }; contracts: { ybtc: string; custodyBridge: string; yu: string; troveManager: string; stabilityPool: string; crsmFactory: string | null; }; } };
  'exportJobs.cancel': { targets: null; params: { export: string }; value: null };
  'exportJobs.download': { targets: null; params: { export: string }; value: { rows: number; } };
  'exportJobs.open': { targets: null; params: null; value: null };
  'exportJobs.remove': { targets: null; params: { export: string }; value: null };
  'feedback.bin': { targets: null; params: null; value: null };
  'feedback.delete': { targets: 'feedback'; params: null; value: { done: { id: string; entry: string; }[]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'feedback.open': { targets: 'feedback'; params: null; value: null };
  'feedback.pictures': { targets: 'feedback'; params: null; value: null };
  'feedback.process': { targets: 'feedback'; params: null; value: { done: Rows['feedback'][]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'feedback.processNext': { targets: 'feedback'; params: null; value: { done: Rows['feedback'][]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'feedback.reopen': { targets: 'feedback'; params: null; value: { done: Rows['feedback'][]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'feedback.reply': { targets: 'feedback'; params: { content: string; processed?: boolean }; value: Rows['feedback'] };
  'feedback.restore': { targets: 'version'; params: null; value: { done: { row: Rows['feedback']; current: Readonly<Record<string, unknown>> | null; }[]; failed: { id: string; code: string; }[]; } };
  'feedback.triage': { targets: null; params: null; value: null };
  'go.CRSMList': { targets: null; params: null; value: null };
  'go.NFTAirdrop': { targets: null; params: null; value: null };
  'go.account': { targets: null; params: null; value: null };
  'go.administrator': { targets: null; params: null; value: null };
  'go.audit': { targets: null; params: null; value: null };
  'go.authority': { targets: null; params: null; value: null };
  'go.dataCaptain': { targets: null; params: null; value: null };
  'go.dataCdp': { targets: null; params: null; value: null };
  'go.dataOpenBox': { targets: null; params: null; value: null };
  'go.dataPanel': { targets: null; params: null; value: null };
  'go.dataVault': { targets: null; params: null; value: null };
  'go.dataView': { targets: null; params: null; value: null };
  'go.dataWallet': { targets: null; params: null; value: null };
  'go.deposit': { targets: null; params: null; value: null };
  'go.docs': { targets: null; params: null; value: null };
  'go.feedback': { targets: null; params: null; value: null };
  'go.help': { targets: null; params: null; value: null };
  'go.home': { targets: null; params: null; value: null };
  'go.identity': { targets: null; params: null; value: null };
  'go.news': { targets: null; params: null; value: null };
  'go.notices': { targets: null; params: null; value: null };
  'go.overview': { targets: null; params: null; value: null };
  'go.permission': { targets: null; params: null; value: null };
  'go.points': { targets: null; params: null; value: null };
  'go.positionList': { targets: null; params: null; value: null };
  'go.role': { targets: null; params: null; value: null };
  'go.service': { targets: null; params: null; value: null };
  'go.withdraw': { targets: null; params: null; value: null };
  'history.open': { targets: null; params: null; value: null };
  'history.repeat': { targets: null; params: null; value: null };
  'history.undo': { targets: null; params: null; value: null };
  'identity.addMapping': { targets: null; params: { source?: "claim" | "scim"; value: string; role: string }; value: Rows['groupMappings'] };
  'identity.addScimToken': { targets: null; params: { name: string; expiresAt?: string; networks?: string }; value: null };
  'identity.deleteMapping': { targets: 'groupMappings'; params: null; value: { done: { id: string; }[]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'identity.editMapping': { targets: 'groupMappings'; params: { role?: string }; value: { row: Rows['groupMappings']; before: { role: string; }; } };
  'identity.revokeScimToken': { targets: null; params: { token: string }; value: { id: string; name: string; lastFour: string; state: "expired" | "live" | "replaced" | "revoked"; networks: string[]; creatorEmail: string; createdAt: string; expiresAt: string; lastUsedAt: string | null; lastIp: string | null; revokedAt: string | null; revokedBy: string | null; revokedReason: "deleted" | "idle" | "leaked" | "person" | null; } };
  'keys.edit': { targets: null; params: null; value: null };
  'keys.export': { targets: null; params: null; value: null };
  'keys.help': { targets: null; params: null; value: null };
  'keys.import': { targets: null; params: { file: string }; value: string };
  'keys.reset': { targets: null; params: null; value: string };
  'keys.single': { targets: null; params: null; value: null };
  'language.switch': { targets: null; params: null; value: null };
  'list.addFilter': { targets: null; params: null; value: null };
  'list.arrivals': { targets: null; params: null; value: null };
  'list.clear': { targets: null; params: null; value: null };
  'list.clearFilter': { targets: null; params: null; value: null };
  'list.columns': { targets: null; params: null; value: null };
  'list.copy': { targets: null; params: null; value: null };
  'list.extendDown': { targets: null; params: null; value: null };
  'list.extendUp': { targets: null; params: null; value: null };
  'list.filter': { targets: null; params: null; value: null };
  'list.first': { targets: null; params: null; value: null };
  'list.last': { targets: null; params: null; value: null };
  'list.like': { targets: null; params: null; value: null };
  'list.next': { targets: null; params: null; value: null };
  'list.open': { targets: null; params: null; value: null };
  'list.previous': { targets: null; params: null; value: null };
  'list.refresh': { targets: null; params: null; value: null };
  'list.resetColumns': { targets: null; params: null; value: null };
  'list.selectAll': { targets: null; params: null; value: null };
  'list.selectMatching': { targets: null; params: null; value: null };
  'list.toggle': { targets: null; params: null; value: null };
  'macros.add': { targets: null; params: null; value: null };
  'macros.open': { targets: null; params: null; value: null };
  'macros.run': { targets: null; params: { macro: string }; value: null };
  'news.add': { targets: null; params: { title: string; description: string; image: string; time?: string; link: string; language?: "zh-CN" | "en-US" | null; translatedTitle?: string | null; translatedDescription?: string | null; translatedLink?: string | null; startsAt?: string | null; endsAt?: string | null }; value: Rows['news'] };
  'news.bin': { targets: null; params: null; value: null };
  'news.copyImage': { targets: 'news'; params: null; value: null };
  'news.delete': { targets: 'news'; params: null; value: { done: { id: string; entry: string; }[]; failed: { id: string; code: string; }[]; } };
  'news.edit': { targets: 'news'; params: { title?: string; description?: string; image?: string; time?: string; link?: string; language?: "zh-CN" | "en-US" | null; translatedTitle?: string | null; translatedDescription?: string | null; translatedLink?: string | null; startsAt?: string | null; endsAt?: string | null }; value: { row: Rows['news']; before: { title: string; description: string; image: string; time: string; link: string; language?: "en-US" | "zh-CN" | null | undefined; translatedTitle?: string | null | undefined; translatedDescription?: string | null | undefined; translatedLink?: string | null | undefined; startsAt?: string | null | undefined; endsAt?: string | null | undefined; }; } };
  'news.get': { targets: null; params: { ids: readonly (string)[] }; value: { done: Rows['news'][]; known: number; } };
  'news.hide': { targets: 'news'; params: null; value: { done: { id: string; version: number; }[]; failed: { id: string; code: string; }[]; } };
  'news.join': { targets: 'news'; params: { kept: "zh-CN" | "en-US"; links: "both" | "kept"; image: "zh-CN" | "en-US"; period: "zh-CN" | "en-US" }; value: Rows['news'] };
  'news.open': { targets: 'news'; params: null; value: null };
  'news.preview': { targets: 'news'; params: null; value: null };
  'news.restore': { targets: 'version'; params: null; value: { done: { row: Rows['news']; current: Readonly<Record<string, unknown>> | null; }[]; failed: { id: string; code: string; }[]; } };
  'news.show': { targets: 'news'; params: null; value: { done: { id: string; version: number; }[]; failed: { id: string; code: string; }[]; } };
  'news.undoJoin': { targets: 'news'; params: null; value: { row: Rows['news']; restored: Rows['news']; choices: { kept: "en-US" | "zh-CN"; links: "both" | "kept"; image: "en-US" | "zh-CN"; period: "en-US" | "zh-CN"; }; } };
  'notices.add': { targets: null; params: { content: string; link: string; platform?: "all" | "desktop" | "mobile"; startsAt?: string | null; endsAt?: string | null }; value: Rows['notices'] };
  'notices.bin': { targets: null; params: null; value: null };
  'notices.delete': { targets: 'notices'; params: null; value: { done: { id: string; entry: string; }[]; failed: { id: string; code: string; }[]; } };
  'notices.edit': { targets: 'notices'; params: { content?: string; link?: string; platform?: "all" | "desktop" | "mobile"; startsAt?: string | null; endsAt?: string | null }; value: { row: Rows['notices']; before: { content: string; link: string; platform: "all" | "desktop" | "mobile"; startsAt: string | null; endsAt: string | null; }; } };
  'notices.hide': { targets: 'notices'; params: null; value: { done: { id: string; version: number; }[]; failed: { id: string; code: string; }[]; } };
  'notices.open': { targets: 'notices'; params: null; value: null };
  'notices.preview': { targets: 'notices'; params: null; value: null };
  'notices.restore': { targets: 'version'; params: null; value: { done: { row: Rows['notices']; current: Readonly<Record<string, unknown>> | null; }[]; failed: { id: string; code: string; }[]; } };
  'notices.show': { targets: 'notices'; params: null; value: { done: { id: string; version: number; }[]; failed: { id: string; code: string; }[]; } };
  'overview.export': { targets: null; params: { format?: "csv" | "xlsx" }; value: { id: string; rows: number; isSaved: boolean; } };
  'overview.refresh': { targets: null; params: null; value: null };
  'page.print': { targets: null; params: null; value: null };
  'palette.open': { targets: null; params: null; value: null };
  'panel.reload': { targets: null; params: null; value: null };
  'permissions.add': { targets: 'permissions'; params: { place?: "under" | "before" | "after"; identifier: string; zh: string; en: string }; value: Rows['permissions'] };
  'permissions.addMenu': { targets: null; params: { identifier: string; zh: string; en: string }; value: Rows['permissions'] };
  'permissions.addSubmenu': { targets: 'permissions'; params: { identifier: string; zh: string; en: string }; value: Rows['permissions'] };
  'permissions.delete': { targets: 'permissions'; params: null; value: { removed: string[]; } };
  'permissions.edit': { targets: 'permissions'; params: { identifier?: string; zh?: string; en?: string }; value: { row: Rows['permissions']; before: { identifier: string; zh: string; en: string; }; } };
  'permissions.move': { targets: 'permissions'; params: { to: string; place?: "under" | "before" | "after" }; value: { row: Rows['permissions']; was: { to: string; place: "after" | "before" | "under"; }; } };
  'permissions.reset': { targets: null; params: null; value: { changes: { what: "added" | "moved" | "removed" | "renamed"; identifier: string; zh: string; en: string; roles: string[]; }[]; } };
  'points.adjust': { targets: null; params: { address: string; berries: string; reason: string }; value: { entry: Rows['points']; balance: Rows['balances']; } };
  'points.badRows': { targets: 'pointsImports'; params: null; value: { rows: number; text: string; } };
  'points.cancelImport': { targets: 'pointsImports'; params: null; value: { row: Rows['drawsImports'] | null; } };
  'points.copyAddress': { targets: 'points'; params: null; value: null };
  'points.explore': { targets: 'points'; params: null; value: string | null };
  'points.export': { targets: null; params: { format?: "csv" | "xlsx" }; value: { id: string; rows: number; isSaved: boolean; } };
  'points.import': { targets: null; params: { file: string }; value: { row: Rows['drawsImports']; reading: { encoding: "big5" | "euc-kr" | "gb18030" | "macintosh" | "shift_jis" | "utf-16be" | "utf-16le" | "utf-8" | "windows-1250" | "windows-1251" | "windows-1252"; delimiter: "\t" | "," | ";" | "|"; firstLine: number; headed: boolean; comments: boolean; decimal: "," | "."; zone: string; }; head: string[]; mapping: { [x: string]: number | null; }; fills: { [x: string]: string; }; missing: string[]; skipped: { above: string[]; comments: number; }; samples: { encoding: "big5" | "euc-kr" | "gb18030" | "macintosh" | "shift_jis" | "utf-16be" | "utf-16le" | "utf-8" | "windows-1250" | "windows-1251" | "windows-1252"; text: string; }[]; shortRows: number; joinedRows: number; unclearNumbers: number; timesWithoutZone: number; uncertain: { line: number; cells: string[]; texts: { [x: string]: string; }; values: { [x: string]: string; } | null; edited: boolean; issues: { path: string; rule: "address" | "afterStart" | "amount" | "balance" | "bands" | "bitcoin" | "checksum" | "clockChange" | "drawn" | "email" | "encoding" | "enrollmentCode" | "everyNetwork" | "extraCells" | "fileEmpty" | "fileTooLarge" | "guarded" | "invalid" | "joinedLines" | "lifetime" | "longRow" | "lookAlike" | "network" | "notCsv" | "notReadableSo" | "openQuote" | "range" | "ratio" | "ratioOrder" | "receiver" | "required" | "shutsOut" | "slug" | "spelling" | "strayQuote" | "taken" | "taproot" | "time" | "timeSpelling" | "tooDeep" | "tooLong" | "tooMany" | "tooManyColumns" | "tooManyEdits" | "tooManyRows" | "tooMuchWaiting" | "tooShort" | "txid" | "units" | "unseen" | "url" | "whole" | "withdrawn" | "zero"; }[]; }[]; first: { line: number; cells: string[]; texts: { [x: string]: string; }; values: { [x: string]: string; } | null; edited: boolean; issues: { path: string; rule: "address" | "afterStart" | "amount" | "balance" | "bands" | "bitcoin" | "checksum" | "clockChange" | "drawn" | "email" | "encoding" | "enrollmentCode" | "everyNetwork" | "extraCells" | "fileEmpty" | "fileTooLarge" | "guarded" | "invalid" | "joinedLines" | "lifetime" | "longRow" | "lookAlike" | "network" | "notCsv" | "notReadableSo" | "openQuote" | "range" | "ratio" | "ratioOrder" | "receiver" | "required" | "shutsOut" | "slug" | "spelling" | "strayQuote" | "taken" | "taproot" | "time" | "timeSpelling" | "tooDeep" | "tooLong" | "tooMany" | "tooManyColumns" | "tooManyEdits" | "tooManyRows" | "tooMuchWaiting" | "tooShort" | "txid" | "units" | "unseen" | "url" | "whole" | "withdrawn" | "zero"; }[]; }[]; badRows: { line: number; cells: string[]; texts: { [x: string]: string; }; values: { [x: string]: string; } | null; edited: boolean; issues: { path: string; rule: "address" | "afterStart" | "amount" | "balance" | "bands" | "bitcoin" | "checksum" | "clockChange" | "drawn" | "email" | "encoding" | "enrollmentCode" | "everyNetwork" | "extraCells" | "fileEmpty" | "fileTooLarge" | "guarded" | "invalid" | "joinedLines" | "lifetime" | "longRow" | "lookAlike" | "network" | "notCsv" | "notReadableSo" | "openQuote" | "range" | "ratio" | "ratioOrder" | "receiver" | "required" | "shutsOut" | "slug" | "spelling" | "strayQuote" | "taken" | "taproot" | "time" | "timeSpelling" | "tooDeep" | "tooLong" | "tooMany" | "tooManyColumns" | "tooManyEdits" | "tooManyRows" | "tooMuchWaiting" | "tooShort" | "txid" | "units" | "unseen" | "url" | "whole" | "withdrawn" | "zero"; }[]; }[]; repaired: { line: number; cells: string[]; texts: { [x: string]: string; }; values: { [x: string]: string; } | null; edited: boolean; issues: { path: string; rule: "address" | "afterStart" | "amount" | "balance" | "bands" | "bitcoin" | "checksum" | "clockChange" | "drawn" | "email" | "encoding" | "enrollmentCode" | "everyNetwork" | "extraCells" | "fileEmpty" | "fileTooLarge" | "guarded" | "invalid" | "joinedLines" | "lifetime" | "longRow" | "lookAlike" | "network" | "notCsv" | "notReadableSo" | "openQuote" | "range" | "ratio" | "ratioOrder" | "receiver" | "required" | "shutsOut" | "slug" | "spelling" | "strayQuote" | "taken" | "taproot" | "time" | "timeSpelling" | "tooDeep" | "tooLong" | "tooMany" | "tooManyColumns" | "tooManyEdits" | "tooManyRows" | "tooMuchWaiting" | "tooShort" | "txid" | "units" | "unseen" | "url" | "whole" | "withdrawn" | "zero"; }[]; }[]; } };
  'points.importTemplate': { targets: null; params: null; value: { text: string; } };
  'points.imports': { targets: null; params: null; value: null };
  'points.open': { targets: 'points'; params: null; value: null };
  'points.resumeImport': { targets: 'pointsImports'; params: null; value: Rows['drawsImports'] };
  'points.reverse': { targets: 'points'; params: { reason: string }; value: { entries: Rows['points'][]; balances: Rows['balances'][]; } };
  'points.startImport': { targets: 'pointsImports'; params: null; value: Rows['drawsImports'] };
  'points.undoImport': { targets: 'pointsImports'; params: null; value: Rows['drawsImports'] };
  'points.view': { targets: null; params: null; value: null };
  'positionStats.copyAddress': { targets: 'positionStats'; params: null; value: null };
  'positionStats.explore': { targets: 'positionStats'; params: null; value: string | null };
  'positionStats.export': { targets: null; params: { format?: "csv" | "xlsx" }; value: { id: string; rows: number; isSaved: boolean; } };
  'positionStats.open': { targets: 'positionStats'; params: null; value: null };
  'qa.expect': { targets: null; params: { seen: string }; value: string };
  'qa.record': { targets: null; params: null; value: null };
  'qa.stopRecording': { targets: null; params: null; value: string | null };
  'qa.toggle': { targets: null; params: null; value: unknown };
  'record.close': { targets: null; params: null; value: unknown };
  'record.next': { targets: null; params: null; value: unknown };
  'record.previous': { targets: null; params: null; value: unknown };
  'record.whole': { targets: null; params: null; value: unknown };
  'roles.add': { targets: null; params: { name: string; description: string; needsFactor?: boolean; grants?: readonly (string)[]; mayGrant?: readonly (string)[]; networks?: string; idleMinutes?: number | string | null; sessionHours?: number | string | null }; value: Rows['roles'] };
  'roles.copy': { targets: 'roles'; params: { name: string }; value: Rows['roles'] };
  'roles.delete': { targets: 'roles'; params: null; value: { done: { id: string; }[]; } };
  'roles.edit': { targets: 'roles'; params: { name?: string; description?: string; needsFactor?: boolean; grants?: readonly (string)[]; mayGrant?: readonly (string)[]; networks?: string; idleMinutes?: number | string | null; sessionHours?: number | string | null }; value: { row: Rows['roles']; before: { name: string; description: string; needsFactor: boolean; grants: string[]; mayGrant: string[]; networks: string; idleMinutes: string | number; sessionHours: string | number; }; } };
  'roles.open': { targets: 'roles'; params: null; value: null };
  'roles.viewAs': { targets: 'roles'; params: null; value: null };
  'services.add': { targets: null; params: { name: string; description: string; owners: readonly (string)[] }; value: Rows['services'] };
  'services.addToken': { targets: 'services'; params: { name: string; expiresAt?: string; networks?: string; scopes?: readonly (string)[]; moneyScopes?: readonly ("dataPanel.freezeMoney" | "crsm.updateData" | "alarms.test")[] }; value: { id: string; token: string; expiresAt: string; } };
  'services.delete': { targets: 'services'; params: null; value: { done: { id: string; }[]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'services.disable': { targets: 'services'; params: null; value: { done: Rows['services'][]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'services.edit': { targets: 'services'; params: { name?: string; description?: string; owners?: readonly (string)[] }; value: { row: Rows['services']; before: { name: string; description: string; owners: string[]; }; } };
  'services.enable': { targets: 'services'; params: null; value: { done: Rows['services'][]; failed: { id: string; code: "CONFLICT" | "INCOMPLETE" | "NOT_FOUND"; }[]; } };
  'services.open': { targets: 'services'; params: null; value: null };
  'services.revokeToken': { targets: 'services'; params: { token: string }; value: Rows['services'] };
  'services.rotateToken': { targets: 'services'; params: { token: string; grace?: "none" | "hour" | "day" | "week" }; value: { id: string; token: string; expiresAt: string; } };
  'session.changePassword': { targets: null; params: { current: string; password: string; code: string }; value: null };
  'session.leaveView': { targets: null; params: null; value: null };
  'session.signOut': { targets: null; params: null; value: null };
  'sidebar.toggle': { targets: null; params: null; value: null };
  'teams.badRows': { targets: 'teamsImports'; params: null; value: { rows: number; text: string; } };
  'teams.cancelImport': { targets: 'teamsImports'; params: null; value: { row: Rows['drawsImports'] | null; } };
  'teams.copyAddress': { targets: 'teams'; params: null; value: null };
  'teams.explore': { targets: 'teams'; params: null; value: string | null };
  'teams.export': { targets: null; params: { format?: "csv" | "xlsx" }; value: { id: string; rows: number; isSaved: boolean; } };
  'teams.import': { targets: null; params: { file: string }; value: { row: Rows['drawsImports']; reading: { encoding: "big5" | "euc-kr" | "gb18030" | "macintosh" | "shift_jis" | "utf-16be" | "utf-16le" | "utf-8" | "windows-1250" | "windows-1251" | "windows-1252"; delimiter: "\t" | "," | ";" | "|"; firstLine: number; headed: boolean; comments: boolean; decimal: "," | "."; zone: string; }; head: string[]; mapping: { [x: string]: number | null; }; fills: { [x: string]: string; }; missing: string[]; skipped: { above: string[]; comments: number; }; samples: { encoding: "big5" | "euc-kr" | "gb18030" | "macintosh" | "shift_jis" | "utf-16be" | "utf-16le" | "utf-8" | "windows-1250" | "windows-1251" | "windows-1252"; text: string; }[]; shortRows: number; joinedRows: number; unclearNumbers: number; timesWithoutZone: number; uncertain: { line: number; cells: string[]; texts: { [x: string]: string; }; values: { [x: string]: string; } | null; edited: boolean; issues: { path: string; rule: "address" | "afterStart" | "amount" | "balance" | "bands" | "bitcoin" | "checksum" | "clockChange" | "drawn" | "email" | "encoding" | "enrollmentCode" | "everyNetwork" | "extraCells" | "fileEmpty" | "fileTooLarge" | "guarded" | "invalid" | "joinedLines" | "lifetime" | "longRow" | "lookAlike" | "network" | "notCsv" | "notReadableSo" | "openQuote" | "range" | "ratio" | "ratioOrder" | "receiver" | "required" | "shutsOut" | "slug" | "spelling" | "strayQuote" | "taken" | "taproot" | "time" | "timeSpelling" | "tooDeep" | "tooLong" | "tooMany" | "tooManyColumns" | "tooManyEdits" | "tooManyRows" | "tooMuchWaiting" | "tooShort" | "txid" | "units" | "unseen" | "url" | "whole" | "withdrawn" | "zero"; }[]; }[]; first: { line: number; cells: string[]; texts: { [x: string]: string; }; values: { [x: string]: string; } | null; edited: boolean; issues: { path: string; rule: "address" | "afterStart" | "amount" | "balance" | "bands" | "bitcoin" | "checksum" | "clockChange" | "drawn" | "email" | "encoding" | "enrollmentCode" | "everyNetwork" | "extraCells" | "fileEmpty" | "fileTooLarge" | "guarded" | "invalid" | "joinedLines" | "lifetime" | "longRow" | "lookAlike" | "network" | "notCsv" | "notReadableSo" | "openQuote" | "range" | "ratio" | "ratioOrder" | "receiver" | "required" | "shutsOut" | "slug" | "spelling" | "strayQuote" | "taken" | "taproot" | "time" | "timeSpelling" | "tooDeep" | "tooLong" | "tooMany" | "tooManyColumns" | "tooManyEdits" | "tooManyRows" | "tooMuchWaiting" | "tooShort" | "txid" | "units" | "unseen" | "url" | "whole" | "withdrawn" | "zero"; }[]; }[]; badRows: { line: number; cells: string[]; texts: { [x: string]: string; }; values: { [x: string]: string; } | null; edited: boolean; issues: { path: string; rule: "address" | "afterStart" | "amount" | "balance" | "bands" | "bitcoin" | "checksum" | "clockChange" | "drawn" | "email" | "encoding" | "enrollmentCode" | "everyNetwork" | "extraCells" | "fileEmpty" | "fileTooLarge" | "guarded" | "invalid" | "joinedLines" | "lifetime" | "longRow" | "lookAlike" | "network" | "notCsv" | "notReadableSo" | "openQuote" | "range" | "ratio" | "ratioOrder" | "receiver" | "required" | "shutsOut" | "slug" | "spelling" | "strayQuote" | "taken" | "taproot" | "time" | "timeSpelling" | "tooDeep" | "tooLong" | "tooMany" | "tooManyColumns" | "tooManyEdits" | "tooManyRows" | "tooMuchWaiting" | "tooShort" | "txid" | "units" | "unseen" | "url" | "whole" | "withdrawn" | "zero"; }[]; }[]; repaired: { line: number; cells: string[]; texts: { [x: string]: string; }; values: { [x: string]: string; } | null; edited: boolean; issues: { path: string; rule: "address" | "afterStart" | "amount" | "balance" | "bands" | "bitcoin" | "checksum" | "clockChange" | "drawn" | "email" | "encoding" | "enrollmentCode" | "everyNetwork" | "extraCells" | "fileEmpty" | "fileTooLarge" | "guarded" | "invalid" | "joinedLines" | "lifetime" | "longRow" | "lookAlike" | "network" | "notCsv" | "notReadableSo" | "openQuote" | "range" | "ratio" | "ratioOrder" | "receiver" | "required" | "shutsOut" | "slug" | "spelling" | "strayQuote" | "taken" | "taproot" | "time" | "timeSpelling" | "tooDeep" | "tooLong" | "tooMany" | "tooManyColumns" | "tooManyEdits" | "tooManyRows" | "tooMuchWaiting" | "tooShort" | "txid" | "units" | "unseen" | "url" | "whole" | "withdrawn" | "zero"; }[]; }[]; } };
  'teams.importTemplate': { targets: null; params: null; value: { text: string; } };
  'teams.imports': { targets: null; params: null; value: null };
  'teams.open': { targets: 'teams'; params: null; value: null };
  'teams.resumeImport': { targets: 'teamsImports'; params: null; value: Rows['drawsImports'] };
  'teams.startImport': { targets: 'teamsImports'; params: null; value: Rows['drawsImports'] };
  'teams.undoImport': { targets: 'teamsImports'; params: null; value: Rows['drawsImports'] };
  'theme.set': { targets: null; params: { theme: "light" | "dark" | "system" | "contrast" }; value: null };
  'values.exact': { targets: null; params: null; value: null };
  'vaults.copyAddress': { targets: 'vaults'; params: null; value: null };
  'vaults.explore': { targets: 'vaults'; params: null; value: string | null };
  'vaults.export': { targets: null; params: { format?: "csv" | "xlsx" }; value: { id: string; rows: number; isSaved: boolean; } };
  'vaults.open': { targets: 'vaults'; params: null; value: null };
  'views.copyLink': { targets: null; params: { view: string }; value: null };
  'views.delete': { targets: null; params: { view: string }; value: { id: string; version: number; place: string; name: string; query: string; } };
  'views.open': { targets: null; params: { view: string }; value: null };
  'views.rename': { targets: null; params: { view: string; name: string }; value: { id: string; version: number; place: string; name: string; query: string; } };
  'views.save': { targets: null; params: { name: string; place?: string; query?: string }; value: { id: string; version: number; place: string; name: string; query: string; } };
  'visits.copyAddress': { targets: 'visits'; params: null; value: null };
  'visits.explore': { targets: 'visits'; params: null; value: string | null };
  'visits.export': { targets: null; params: { format?: "csv" | "xlsx" }; value: { id: string; rows: number; isSaved: boolean; } };
  'visits.open': { targets: 'visits'; params: null; value: null };
  'walletConnections.copyAddress': { targets: 'walletConnections'; params: null; value: null };
  'walletConnections.explore': { targets: 'walletConnections'; params: null; value: string | null };
  'walletConnections.export': { targets: null; params: { format?: "csv" | "xlsx" }; value: { id: string; rows: number; isSaved: boolean; } };
  'walletConnections.open': { targets: 'walletConnections'; params: null; value: null };
  'withdrawals.add': { targets: null; params: { depositId: string; receiver: string }; value: Rows['withdrawals'] };
  'withdrawals.cancel': { targets: 'withdrawals'; params: null; value: Rows['withdrawals'] };
  'withdrawals.confirmRefund': { targets: 'withdrawals'; params: null; value: { hash: `0x${string}`; isMined: boolean; } };
  'withdrawals.copyReceiver': { targets: 'withdrawals'; params: null; value: null };
  'withdrawals.explore': { targets: 'withdrawals'; params: { what?: "receiver" | "txid" | "request" | "confirm" | "user" }; value: string | null };
  'withdrawals.offerAgain': { targets: 'withdrawals'; params: null; value: Rows['withdrawals'] };
  'withdrawals.open': { targets: 'withdrawals'; params: null; value: null };
  'withdrawals.requestRefund': { targets: 'withdrawals'; params: null; value: { hash: `0x${string}`; isMined: boolean; } };
  'withdrawals.signRefund': { targets: 'withdrawals'; params: null; value: Rows['withdrawals'] };
}
