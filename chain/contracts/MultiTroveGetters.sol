// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {TroveManager} from "./TroveManager.sol";

/// All troves of an owner, or of all, in one call.
contract MultiTroveGetters {
    struct Params {
        uint256 MCR;
        uint256 CCR;
        uint256 interestRate;
        uint256 price;
    }

    struct TroveState {
        uint256 ICR;
        uint256 id;
        address owner;
        uint256 entireDebt;
        uint256 maxDebtToMint;
        uint256 maxCollToWithdraw;
        uint256 liquidationPrice;
        TroveManager.Trove trove;
    }

    function getTrovesByOwner(TroveManager manager, address owner) external view returns (Params memory params, TroveState[] memory states) {
        params = _params(manager);
        states = new TroveState[](manager.balanceOf(owner));
        for (uint256 i; i < states.length; i++) states[i] = _state(manager, manager.tokenOfOwnerByIndex(owner, i), params);
    }

    function _params(TroveManager manager) private view returns (Params memory) {
        return Params(manager.MCR(), manager.CCR(), manager.interestRate(), manager.fetchPrice());
    }

    function _state(TroveManager manager, uint256 id, Params memory params) private view returns (TroveState memory state) {
        TroveManager.Trove memory trove = manager.getCurrentTrove(id);
        uint256 debt = trove.debt + trove.interest;
        uint256 mostDebt = (trove.coll * params.price) / params.MCR;
        uint256 leastColl = (debt * params.MCR) / params.price;
        state = TroveState({
            ICR: manager.getCurrentICR(id, params.price),
            id: id,
            owner: manager.ownerOf(id),
            entireDebt: debt,
            maxDebtToMint: mostDebt > debt ? mostDebt - debt : 0,
            maxCollToWithdraw: trove.coll > leastColl ? trove.coll - leastColl : 0,
            liquidationPrice: trove.coll == 0 ? 0 : (params.MCR * debt) / trove.coll,
            trove: trove
        });
    }
}
