// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Crsm} from "./Crsm.sol";
import {CrsmFactory} from "./CrsmFactory.sol";
import {TroveManager} from "./TroveManager.sol";
import {Yu} from "./Yu.sol";

/// Reads many CRSMs with their troves in one call, and repays for many. Reading brings the interest up to now, so it is no view:
/// it is called without being sent.
contract CrsmUtils {
    struct CRSMState {
        address crsm;
        uint256 price;
        uint256 ICR;
        Crsm.State crsmState;
        TroveManager.Trove trove;
    }

    CrsmFactory public immutable factory;

    constructor(CrsmFactory _factory) {
        factory = _factory;
    }

    /// Those at places `start` to before `end`; the end may be beyond the last.
    function getCRSM(uint256 start, uint256 end) external returns (CRSMState[] memory states, uint256 totalSupply) {
        totalSupply = factory.totalSupply();
        if (end > totalSupply) end = totalSupply;
        states = new CRSMState[](start < end ? end - start : 0);
        for (uint256 i; i < states.length; i++) states[i] = _read(factory.tokenByIndex(start + i));
    }

    function getCRSMByOwner(address owner, uint256 start, uint256 end)
        external
        returns (CRSMState[] memory states, uint256 totalSupply)
    {
        totalSupply = factory.balanceOf(owner);
        if (end > totalSupply) end = totalSupply;
        states = new CRSMState[](start < end ? end - start : 0);
        for (uint256 i; i < states.length; i++) states[i] = _read(factory.tokenOfOwnerByIndex(owner, start + i));
    }

    /// Repays for several; the rewards go to `to`.
    function repay(address[] calldata crsms, uint256[] calldata amounts, address to) external {
        for (uint256 i; i < crsms.length; i++) Crsm(crsms[i]).repay(amounts[i]);
        Yu yu = factory.debtToken();
        yu.transfer(to, yu.balanceOf(address(this)));
    }

    function _read(uint256 tokenId) private returns (CRSMState memory state) {
        Crsm crsm = Crsm(factory.crsms(tokenId));
        TroveManager manager = crsm.troveManager();
        manager.accrue();
        uint256 price = manager.fetchPrice();
        uint256 troveId = crsm.troveId();
        state = CRSMState({
            crsm: address(crsm),
            price: price,
            ICR: manager.getCurrentICR(troveId, price),
            crsmState: crsm.getState(),
            trove: manager.getCurrentTrove(troveId)
        });
    }
}
