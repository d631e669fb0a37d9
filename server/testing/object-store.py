"""OpenStack Swift with its S3 API in one process, objects in memory: argv are a folder, the access key and the secret.

Proxy, account, container and object server of Debian's python3-swift, as Swift's own tests start them; signatures are
checked by s3api and tempauth. Prints the port of the S3 API."""
import gzip
import os
import pickle
import sys

import eventlet

eventlet.patcher.monkey_patch(all=False, socket=True, select=True, thread=True)

from eventlet import wsgi
from swift.common import constraints, ring, storage_policy, utils
from swift.common.http_protocol import SwiftHttpProtocol
from swift.common.wsgi import loadapp

folder, access, secret = sys.argv[1:4]
account, user = access.split(':')


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, 'w') as file:
        file.write(text)
    return path


conf = write('swift.conf', '[swift-hash]\nswift_hash_path_suffix = panel\n[storage-policy:0]\nname = memory\ndefault = yes\n')
utils.SWIFT_CONF_FILE = constraints.SWIFT_CONF_FILE = storage_policy.SWIFT_CONF_FILE = conf
utils.HASH_PATH_SUFFIX = b'panel'
constraints.reload_constraints()
storage_policy.reload_storage_policies()
os.makedirs(os.path.join(folder, 'disks', 'one', 'tmp'), exist_ok=True)

sockets = {name: eventlet.listen(('127.0.0.1', 0)) for name in ('account', 'container', 'object', 'proxy')}
for name in ('account', 'container', 'object'):
    port = sockets[name].getsockname()[1]
    device = {'id': 0, 'region': 1, 'zone': 0, 'weight': 1.0, 'device': 'one', 'ip': '127.0.0.1', 'port': port}
    with gzip.GzipFile(os.path.join(folder, name + '.ring.gz'), 'wb') as file:
        pickle.dump(ring.RingData([[0, 0, 0, 0]], [device], 30), file)


class Cache:
    """What tempauth keeps of tokens, which nobody here asks for."""

    def __init__(self):
        self.kept = {}

    def set(self, key, value, **_):
        self.kept[key] = value

    def get(self, key, **_):
        return self.kept.get(key)

    def incr(self, key, delta=1, **_):
        self.kept[key] = self.kept.get(key, 0) + delta
        return self.kept[key]

    def delete(self, key, **_):
        self.kept.pop(key, None)


def server(name, use):
    own = f'[DEFAULT]\nswift_dir = {folder}\ndevices = {folder}/disks\nmount_check = false\nlog_level = ERROR\n'
    return own + f'[pipeline:main]\npipeline = {name}\n[app:{name}]\nuse = egg:swift#{use}\n'


proxy = f'''[DEFAULT]
swift_dir = {folder}
[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats s3api tempauth bulk proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
allow_multipart_uploads = false
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret} .admin
[filter:bulk]
use = egg:swift#bulk
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
'''

cache = Cache()
logger = utils.NullLogger()
pool = eventlet.GreenPool()
for name, use in (('account', 'account'), ('container', 'container'), ('object', 'mem_object')):
    app = loadapp(write(f'{name}.conf', server(name, use)))
    pool.spawn_n(wsgi.server, sockets[name], app, logger, protocol=SwiftHttpProtocol)
front = loadapp(write('proxy.conf', proxy))


def cached(environ, start_response):
    environ['swift.cache'] = cache
    return front(environ, start_response)


pool.spawn_n(wsgi.server, sockets['proxy'], cached, logger, protocol=SwiftHttpProtocol)
print(sockets['proxy'].getsockname()[1], flush=True)
pool.waitall()
