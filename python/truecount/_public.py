"""The public names of `truecount` that need numpy only, imported at the first access to one."""

from truecount import measures as measures
from truecount._audit import *
from truecount._check import *
from truecount._columns import *
from truecount._compare import *
from truecount._core import __version__ as __version__
from truecount._counts import *
from truecount._errors import *
from truecount._estimate import *
from truecount._experiment import *
from truecount._model import *
from truecount._monitor import *
from truecount._options import *
from truecount._plan import *
from truecount._results import *
from truecount._tally import *
from truecount.evaluation import APP as APP
from truecount.evaluation import NPP as NPP
from truecount.evaluation import UPP as UPP
from truecount.evaluation import Evaluation as Evaluation
from truecount.evaluation import evaluate as evaluate
